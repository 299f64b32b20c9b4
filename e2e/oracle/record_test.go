// Records what the unmodified leader election of client-go does on a schedule of faults, in virtual time.
// It is a test because testing/synctest, which owns that time, wants one.
//
//	SCHEDULES=a.json,b.json TRANSCRIPTS=folder go test -count=1 -run Record .
package oracle

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	coordination "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	typed "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// Schedule is one run; all its times are seconds.
type Schedule struct {
	Name   string
	Nodes  []Node
	Faults []Fault
	Until  float64 // then every context is cancelled
}

type Node struct {
	ID                     string
	Start                  float64
	Lease, Deadline, Retry float64
	ReleaseAt              float64 // cancels the node's context; 0 for never
	Release                bool    // ReleaseOnCancel
}

// Fault changes the calls of a node that start in [From, To). The last one that applies counts.
type Fault struct {
	Node     string
	From, To float64
	Verb     string  // get, create, update or *
	Delay    float64 // before the server acts
	Late     float64 // from the server's act to its answer
	Lose     string  // "request" or "answer"
	Code     int     // answered instead of acting
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// transcript writes one JSON object a line, each with its time in seconds, cut to milliseconds.
type transcript struct {
	mu    sync.Mutex
	start time.Time
	out   *json.Encoder
}

type fields map[string]any

func (t *transcript) seconds() float64 { return float64(time.Since(t.start).Milliseconds()) / 1000 }

func (t *transcript) write(event string, more fields) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line := fields{"t": t.seconds(), "ev": event}
	for name, value := range more {
		line[name] = value
	}
	if err := t.out.Encode(line); err != nil {
		panic(err)
	}
}

// register is the Lease API: compare-and-set on resourceVersion and nothing else.
type register struct {
	mu      sync.Mutex
	lease   *coordination.Lease
	version int
	closed  chan struct{} // time is up: what is still on its way never arrives
	faults  []Fault
	log     *transcript
}

type reply struct {
	lease *coordination.Lease
	code  int
	err   error
}

func (r *register) faultFor(node, verb string) (found Fault) {
	now := r.log.seconds()
	for _, fault := range r.faults {
		if fault.Node == node && (fault.Verb == "*" || fault.Verb == verb) && fault.From <= now && now < fault.To {
			found = fault
		}
	}
	return found
}

var resource = schema.GroupResource{Group: coordination.GroupName, Resource: "leases"}

// act is the instant at which the server decides; it holds the lock.
func (r *register) act(fault Fault, node, verb string, body *coordination.Lease) reply {
	if fault.Code != 0 {
		return reply{code: fault.Code, err: apierrors.NewGenericServerResponse(fault.Code, verb, resource, "lock", "scheduled", 0, true)}
	}
	code := 200
	switch verb {
	case "get":
		if r.lease == nil {
			return reply{code: 404, err: apierrors.NewNotFound(resource, "lock")}
		}
		return reply{lease: r.lease.DeepCopy(), code: code}
	case "create":
		if r.lease != nil {
			return reply{code: 409, err: apierrors.NewAlreadyExists(resource, "lock")}
		}
		code = 201
	case "update":
		if r.lease == nil || r.lease.ResourceVersion != body.ResourceVersion {
			return reply{code: 409, err: apierrors.NewConflict(resource, "lock", errors.New("another version is stored"))}
		}
	}
	r.version++
	r.lease = body.DeepCopy()
	r.lease.ResourceVersion = strconv.Itoa(r.version)
	record := resourcelock.LeaseSpecToLeaderElectionRecord(&r.lease.Spec)
	r.log.write("commit", fields{"node": node, "verb": verb, "rv": r.version, "holder": record.HolderIdentity,
		"transitions": record.LeaderTransitions, "duration": record.LeaseDurationSeconds})
	return reply{lease: r.lease.DeepCopy(), code: code}
}

// pass waits, and says false when time is up before.
func (r *register) pass(s float64) bool {
	if s <= 0 {
		return true
	}
	timer := time.NewTimer(seconds(s))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.closed:
		return false
	}
}

// leases is the part of the typed client that LeaseLock uses, for one node.
type leases struct {
	typed.LeaseInterface
	*register
	node string
}

func (l leases) Leases(string) typed.LeaseInterface { return l }

func (l leases) Get(ctx context.Context, _ string, _ meta.GetOptions) (*coordination.Lease, error) {
	return l.call(ctx, "get", nil)
}

func (l leases) Create(ctx context.Context, lease *coordination.Lease, _ meta.CreateOptions) (*coordination.Lease, error) {
	return l.call(ctx, "create", lease)
}

func (l leases) Update(ctx context.Context, lease *coordination.Lease, _ meta.UpdateOptions) (*coordination.Lease, error) {
	return l.call(ctx, "update", lease)
}

func (l leases) call(ctx context.Context, verb string, body *coordination.Lease) (*coordination.Lease, error) {
	l.log.write("request", fields{"node": l.node, "verb": verb})
	fault := l.faultFor(l.node, verb)
	answers := make(chan reply, 1)
	go func() {
		if !l.pass(fault.Delay) || fault.Lose == "request" {
			return
		}
		l.mu.Lock()
		answer := l.act(fault, l.node, verb, body)
		l.mu.Unlock()
		if l.pass(fault.Late) && fault.Lose != "answer" {
			answers <- answer
		}
	}()
	select {
	case answer := <-answers:
		l.log.write("answer", fields{"node": l.node, "verb": verb, "code": answer.code})
		return answer.lease, answer.err
	case <-ctx.Done():
		l.log.write("gave-up", fields{"node": l.node, "verb": verb})
		return nil, ctx.Err()
	}
}

// run is one node: it starts, elects, and returns when its election has ended.
func run(root context.Context, node Node, api *register) {
	ctx, cancel := context.WithCancel(root)
	defer cancel()
	time.Sleep(seconds(node.Start))
	if node.ReleaseAt > 0 {
		go func() {
			select {
			case <-time.After(seconds(node.ReleaseAt - node.Start)):
				api.log.write("cancel", fields{"node": node.ID})
				cancel()
			case <-root.Done():
			}
		}()
	}
	say := func(event string) { api.log.write(event, fields{"node": node.ID}) }
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  meta.ObjectMeta{Namespace: "default", Name: "lock"},
			Client:     leases{register: api, node: node.ID},
			LockConfig: resourcelock.ResourceLockConfig{Identity: node.ID},
		},
		LeaseDuration:   seconds(node.Lease),
		RenewDeadline:   seconds(node.Deadline),
		RetryPeriod:     seconds(node.Retry),
		ReleaseOnCancel: node.Release,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { say("started") },
			OnStoppedLeading: func() { say("stopped") },
			OnNewLeader:      func(id string) { api.log.write("new-leader", fields{"node": node.ID, "id": id}) },
		},
	})
	if err != nil {
		api.log.write("config-error", fields{"node": node.ID, "error": err.Error()})
		return
	}
	elector.Run(ctx)
}

func record(t *testing.T, schedule Schedule, out io.Writer) {
	synctest.Test(t, func(*testing.T) {
		log := &transcript{start: time.Now(), out: json.NewEncoder(out)}
		api := &register{closed: make(chan struct{}), faults: schedule.Faults, log: log}
		root, cancel := context.WithCancel(context.Background())
		var nodes sync.WaitGroup
		for _, node := range schedule.Nodes {
			nodes.Go(func() { run(root, node, api) })
		}
		time.Sleep(seconds(schedule.Until))
		log.write("end", nil)
		cancel()
		nodes.Wait()
		close(api.closed)
	})
}

func TestRecord(t *testing.T) {
	files, folder := os.Getenv("SCHEDULES"), os.Getenv("TRANSCRIPTS")
	if files == "" || folder == "" {
		t.Skip("SCHEDULES (files, separated by commas) and TRANSCRIPTS (a folder) are not both set")
	}
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	for file := range strings.SplitSeq(files, ",") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var schedules []Schedule
		if err := json.Unmarshal(text, &schedules); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, schedule := range schedules {
			var lines strings.Builder
			record(t, schedule, &lines)
			if err := os.WriteFile(filepath.Join(folder, schedule.Name+".jsonl"), []byte(lines.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
