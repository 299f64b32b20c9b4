// Every bound of the server in one place. All have an answer that says what was exceeded and what to do.

export interface Limits {
  /** Sessions kept. The oldest is never deleted for a new one: whose it is, the server cannot know. */
  readonly sessions: number;
  /** Bytes of all session files together. */
  readonly storedBytes: number;
  /** Bytes of one request's body. */
  readonly bodyBytes: number;
  /** Characters of a request's target; above the longest permalink, should one stand in the query. */
  readonly urlLength: number;
  /** Characters of a session's title. */
  readonly titleLength: number;
  readonly watchersPerSession: number;
  /** Watchers of all sessions together. */
  readonly watchers: number;
  /** Bytes that may wait for a slow watcher before it is cut off; it comes back and resumes by id. */
  readonly watcherBacklogBytes: number;
  /** How often a silent event stream says that it is alive. */
  readonly heartbeatMs: number;
  /** Changes kept after a session's snapshot before the file is written anew. */
  readonly changesKept: number;
  /** Sessions held in memory while nobody watches them. */
  readonly loadedSessions: number;
  readonly rateWindowMs: number;
  /** Requests of each kind within a window; all clients are this one machine, so they share it. */
  readonly reads: number;
  readonly changes: number;
  readonly moments: number;
}

export const DEFAULT_LIMITS: Limits = {
  sessions: 500,
  storedBytes: 256 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
  urlLength: 40 * 1024,
  titleLength: 120,
  watchersPerSession: 32,
  watchers: 128,
  watcherBacklogBytes: 8 * 1024 * 1024,
  heartbeatMs: 15_000,
  changesKept: 1000,
  loadedSessions: 32,
  rateWindowMs: 10_000,
  reads: 1000,
  changes: 500,
  moments: 500,
};
