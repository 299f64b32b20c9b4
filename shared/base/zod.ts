// The one door to zod, without generated code: a strict content security policy forbids it. Import it as
// `import * as z from "…/base/zod.ts"`, so that a build carries only the schemas that are used.
import { config } from "zod";

export * from "zod";

config({ jitless: true });
