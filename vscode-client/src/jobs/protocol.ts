/**
 * The memory jobs as commands of the server, and their answers. Mirrors `ext_jobs.py`, `ext_review.py` and `ext_team.py`
 * in `server/memdir/lsp`, name for name; `vscode-client/test/unit/protocol.test.ts` holds them together.
 */

import { SERVER_COMMAND_PREFIX } from "../protocol";

export const SAVE = `${SERVER_COMMAND_PREFIX}save`;
export const SAVE_SELECTION = `${SERVER_COMMAND_PREFIX}saveSelection`;
export const FORGET = `${SERVER_COMMAND_PREFIX}forget`;
export const LOG = `${SERVER_COMMAND_PREFIX}log`;
export const CHANGES = `${SERVER_COMMAND_PREFIX}changes`;
export const UNDO = `${SERVER_COMMAND_PREFIX}undo`;
export const REFACTOR = `${SERVER_COMMAND_PREFIX}refactor`;
export const DESCRIBE = `${SERVER_COMMAND_PREFIX}describe`;
export const RECALL = `${SERVER_COMMAND_PREFIX}recall`;
export const PREPARE_RECALL = `${SERVER_COMMAND_PREFIX}prepareRecall`;
export const JUDGE_RECALL = `${SERVER_COMMAND_PREFIX}judgeRecall`;
export const DOCTOR = `${SERVER_COMMAND_PREFIX}doctor`;
export const REVIEWS = `${SERVER_COMMAND_PREFIX}reviews`;
export const REVIEW = `${SERVER_COMMAND_PREFIX}review`;
export const ACCEPT = `${SERVER_COMMAND_PREFIX}accept`;
export const REFUSE = `${SERVER_COMMAND_PREFIX}refuse`;
export const CONSOLIDATE = `${SERVER_COMMAND_PREFIX}consolidate`;
export const MERGE = `${SERVER_COMMAND_PREFIX}merge`;
export const EXTRACT = `${SERVER_COMMAND_PREFIX}extract`;
export const INBOX = `${SERVER_COMMAND_PREFIX}inbox`;
export const INBOX_ACCEPT = `${SERVER_COMMAND_PREFIX}inboxAccept`;
export const INBOX_EDIT = `${SERVER_COMMAND_PREFIX}inboxEdit`;
export const INBOX_MERGE = `${SERVER_COMMAND_PREFIX}inboxMerge`;
export const INBOX_REFUSE = `${SERVER_COMMAND_PREFIX}inboxRefuse`;
export const NOTES = `${SERVER_COMMAND_PREFIX}notes`;
export const CONTINUE = `${SERVER_COMMAND_PREFIX}continueSession`;
export const JOBS = `${SERVER_COMMAND_PREFIX}jobs`;
export const TEAM_STATUS = `${SERVER_COMMAND_PREFIX}teamStatus`;
export const TEAM_PULL = `${SERVER_COMMAND_PREFIX}teamPull`;
export const TEAM_PUSH = `${SERVER_COMMAND_PREFIX}teamPush`;
export const TEAM_TOKEN = `${SERVER_COMMAND_PREFIX}teamToken`;
export const TEAM_CONFLICT = `${SERVER_COMMAND_PREFIX}teamConflict`;
export const TEAM_RESOLVE = `${SERVER_COMMAND_PREFIX}teamResolve`;
export const TEAM_HELD = `${SERVER_COMMAND_PREFIX}teamHeld`;
export const TEAM_JUDGE = `${SERVER_COMMAND_PREFIX}teamJudge`;
export const JOBS_CHANGED = "memdir/didChangeJobs";

export type FileChangeKind = "created" | "changed" | "deleted";

export type ReviewKind = "consolidate" | "doctor";

/** What was written. `id` is the number of the change for undoing it, null when the editor made the edit itself or nothing changed. */
export interface Done {
  id: string | null;
  created: string[];
  changed: string[];
  deleted: string[];
}

/** A file that is not as a change expected it: `data.clashes` of a failed request. Texts are null for no file, `base` also when unknown. */
export interface ClashInfo {
  uri: string;
  base: string | null;
  mine: string | null;
  theirs: string | null;
}

/** A file of a past change. */
export interface TouchedFile {
  uri: string;
  change: FileChangeKind;
}

/** A change that the journal knows. `inForce`: it can be undone. */
export interface PastChange {
  id: string;
  time: string;
  title: string;
  origin: string;
  files: TouchedFile[];
  inForce: boolean;
  undoes: string | null;
  undoneBy: string | null;
}

/** A memory that a question is about. */
export interface MemoryRef {
  uri: string;
  name: string;
  description: string;
}

/** Something to decide before saving; `force` saves all the same. */
export interface SaveQuestion {
  kind: string;
  message: string;
  candidates: MemoryRef[];
}

/** Answer to `save`: questions and nothing written, or what was written. */
export interface SaveAnswer {
  uri: string;
  scope: "private" | "team";
  saved: boolean;
  done: Done | null;
  questions: SaveQuestion[];
  advice: string[];
}

/** Answer to `forget`: what was done, or the memories that the words may mean. */
export interface ForgetAnswer {
  done: Done | null;
  matches: MemoryRef[];
}

/** Answer to `log`: the file, and the entry as written. */
export interface LogAnswer {
  uri: string;
  entry: string;
}

/** A memory that was chosen. `score` is the share of the query's words it answers; `caveat` is null for memories of today and yesterday. */
export interface RecallChoice {
  uri: string;
  file: string;
  name: string;
  type: string;
  age: string;
  score: number;
  reason: string;
  caveat: string | null;
}

/** A memory that was near and not chosen. */
export interface RecallMiss {
  uri: string;
  file: string;
  name: string;
  score: number;
  reason: string;
}

/** Answer to `recall`. `id` names the record for `judgeRecall`, empty when none is kept; `notes` are sentences about the run. */
export interface RecallAnswer {
  id: string;
  method: "model" | "lexical";
  candidates: number;
  latencyMs: number;
  fallback: string | null;
  selected: RecallChoice[];
  missed: RecallMiss[];
  notes: string[];
}

/** One piece of a file's change that can be taken alone. `lines` are diff lines with their sign. */
export interface ReviewHunk {
  id: string;
  header: string;
  lines: string[];
}

/** One file of a proposal. Texts are null for no file; `oldUri` is set for a file that moves. `consent` says why taking this file needs the person's explicit consent; `lost` are statements, links and dates that the result no longer holds; files with the same `group` are taken together or not at all (0: alone). */
export interface ReviewFile {
  uri: string;
  oldUri: string | null;
  label: string;
  kind: "edit" | "create" | "delete" | "rename";
  before: string | null;
  after: string | null;
  reasons: string[];
  consent: string | null;
  lost: string[];
  group: number;
  hunks: ReviewHunk[];
}

/** A proposal that waits for a person. */
export interface ReviewInfo {
  id: string;
  kind: ReviewKind;
  folder: string;
  title: string;
  files: number;
  time: string;
}

/** A proposal in full. `notes` are sentences about how it came to be; `clashes` are files that were changed after it was made, which are not among `files`. */
export interface Review {
  id: string;
  kind: ReviewKind;
  folder: string;
  title: string;
  time: string;
  notes: string[];
  files: ReviewFile[];
  clashes: ClashInfo[];
}

/** What was taken. `left` are the files of the proposal that still wait. */
export interface AcceptAnswer {
  done: Done;
  left: number;
}

/** Answer to `consolidate`. `review` is the proposal, null when there is nothing to propose or it is not due (`due` false: ask again with `force`). */
export interface ConsolidateAnswer {
  due: boolean;
  message: string;
  review: string | null;
  byModel: boolean;
  notes: string[];
}

/** Answer to `extract`: how many proposals are new in the inbox, how many were known (waiting or refused), and sentences about the run. */
export interface ExtractAnswer {
  status: "off" | "nothing" | "own-memory" | "queued" | "done" | "failed";
  session: string;
  items: number;
  known: number;
  byModel: boolean;
  message: string;
  notes: string[];
}

/** Words of a conversation that a proposal rests on. `uri` is the session's file, `line` counts from 0, -1 when it is not known. */
export interface InboxEvidence {
  quote: string;
  who: string;
  uri: string;
  line: number;
}

/** What waits in the inbox. A `memory` has the text that is proposed (`before`: the present one it changes, null for a new memory); a `signal` is a hint with a suggested type; a `consolidation` is reviewed by its `review`. */
export interface InboxItem {
  id: string;
  folder: string;
  kind: "memory" | "signal" | "consolidation";
  title: string;
  created: string;
  memoryType: string;
  uri: string;
  text: string | null;
  before: string | null;
  description: string;
  evidence: InboxEvidence[];
  notes: string[];
  files: number;
  review: string | null;
}

/** Answer to `inboxMerge`. `waiting` is false when the result is what the file says already. */
export interface InboxMergeAnswer {
  waiting: boolean;
}

/** Answer to `inboxAccept`: questions and nothing written, or what was written. */
export interface InboxAcceptAnswer {
  uri: string;
  done: Done | null;
  questions: SaveQuestion[];
  advice: string[];
}

/** Notes of a session. `running`: it was written to within the last minutes. */
export interface SessionNotes {
  session: string;
  path: string;
  uri: string;
  title: string;
  state: string;
  text: string;
  updated: string;
  running: boolean;
}

/** Answer to `continueSession`: what an agent goes on with. `source` says whether notes or a model made it. */
export interface ContinueAnswer {
  text: string;
  source: "notes" | "model";
  notes: string[];
}

/** Whether a job runs in a folder, and why not, or how. `setting` is what decides about it. */
export interface JobState {
  job: "recall" | "extract" | "consolidate" | "notes" | "team";
  label: string;
  state: "on" | "limited" | "off";
  message: string;
  setting: string;
}

/** A memory directory that no client looks for. `review` is the proposal that mends it, null without one. `headline` is the kind in words, `why` half a sentence on what the case rests on. Numbers are of Markdown files, sizes are bytes; `targetMemories` is null when the target is not there yet. */
export interface DoctorCase {
  kind: string;
  headline: string;
  why: string;
  directory: string;
  owner: string | null;
  target: string | null;
  certain: boolean;
  message: string;
  review: string | null;
  memories: number;
  size: number;
  targetMemories: number | null;
  targetSize: number;
}

/** Answer to `doctor`. */
export interface DoctorAnswer {
  cases: DoctorCase[];
}

/** A file of team memory that needs attention; `key` is its path in the team directory. */
export interface TeamFile {
  key: string;
  uri: string;
  why: string[];
}

/** Answer to `teamStatus`. With `transport` `off`, `why` says why and the lists are empty; `broken`: it is wanted, but something is missing. */
export interface TeamStatus {
  folder: string;
  transport: "off" | "service" | "git";
  why: string | null;
  broken: boolean;
  running: boolean;
  url: string;
  repository: string;
  root: string;
  lastPull: string | null;
  lastPush: string | null;
  failure: string | null;
  pending: TeamFile[];
  conflicts: TeamFile[];
  held: TeamFile[];
  blocked: TeamFile[];
  refused: TeamFile[];
  removed: TeamFile[];
  notes: string[];
  needsToken?: string;
}

/** Answer to `teamPull` and `teamPush`: a line per thing that happened. */
export interface TeamReport {
  outcome: "ok" | "waiting" | "suppressed" | "failed";
  message: string | null;
  lines: string[];
  attention: boolean;
}

/** Both texts of a conflict; the team's is in place. `mine` is null when the journal has forgotten it. */
export interface TeamConflict {
  key: string;
  uri: string;
  mine: string | null;
  theirs: string | null;
  author: string;
  time: string;
}

/** A file from the team in quarantine. */
export interface TeamHeld {
  key: string;
  uri: string;
  text: string;
  why: string[];
  author: string;
  time: string;
}

/** Parameters of `memdir/didChangeJobs`: how much waits for a person, by kind. */
export interface JobsChanged {
  reviews: number;
  inbox: number;
  team: number;
  /** Folders whose team memory is on, or wanted and not working. */
  sharing: number;
}
