/**
 * Which key for the model service a process gets. Pure.
 *
 * The environment goes first: what the person, or whoever set up the machine, wrote there is what the agent's client uses,
 * too. The kept key is for one address; when the environment names another one (an environment can come from a
 * repository, as with direnv or a development container), the key stays where it is.
 */

const KEY = "ANTHROPIC_API_KEY";
const TOKEN = "ANTHROPIC_AUTH_TOKEN";
const ADDRESS = "ANTHROPIC_BASE_URL";
const DEFAULT_ADDRESS = "https://api.anthropic.com";

/** What lies in the secret storage: the key, and the address that it was given for. */
export interface Kept {
  key: string;
  address: string;
}

export type Credentials =
  | { source: "environment"; variable: string; environment: Record<string, never> }
  | { source: "kept"; environment: { [KEY]: string } }
  | { source: "withheld"; kept: Kept; environment: Record<string, never> }
  | { source: "none"; environment: Record<string, never> };

export function credentials(env: NodeJS.ProcessEnv, kept: Kept | undefined): Credentials {
  const variable = [KEY, TOKEN].find((name) => (env[name] ?? "") !== "");
  if (variable !== undefined) {
    return { source: "environment", variable, environment: {} };
  }
  if (kept === undefined) {
    return { source: "none", environment: {} };
  }
  const address = serviceAddress(env);
  if (address !== kept.address || unsafe(address)) {
    return { source: "withheld", kept, environment: {} };
  }
  return { source: "kept", environment: { [KEY]: kept.key } };
}

/** Where the model service is asked, without a slash at the end. */
export function serviceAddress(env: NodeJS.ProcessEnv): string {
  const named = (env[ADDRESS] ?? "").trim();
  return (named === "" ? DEFAULT_ADDRESS : named).replace(/\/+$/, "");
}

/** True for an address to which a key would travel readable. */
export function unsafe(address: string): boolean {
  try {
    const { protocol, hostname } = new URL(address);
    const here = hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
    return protocol !== "https:" && !(protocol === "http:" && here);
  } catch {
    return true;
  }
}

/** Reads what was stored; undefined for nothing or nonsense. */
export function keptFrom(stored: string | undefined): Kept | undefined {
  try {
    const value = JSON.parse(stored ?? "null") as Partial<Kept> | null;
    return typeof value?.key === "string" && value.key !== "" && typeof value.address === "string"
      ? { key: value.key, address: value.address }
      : undefined;
  } catch {
    return undefined;
  }
}
