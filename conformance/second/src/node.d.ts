// The few parts of Node that this program uses, so that it needs no package of types.
declare module "node:fs" {
  export function readFileSync(path: string | URL, encoding: "utf8"): string;
  export function readdirSync(path: string | URL): string[];
}
declare module "node:readline" {
  export function createInterface(options: { input: unknown; crlfDelay?: number }): AsyncIterable<string>;
}
declare const process: {
  argv: string[];
  stdin: unknown;
  stdout: { write(text: string): boolean };
  stderr: { write(text: string): boolean };
  exitCode: number | undefined;
};
declare class URL {
  constructor(path: string, base?: string | URL);
}
interface ImportMeta {
  url: string;
}
