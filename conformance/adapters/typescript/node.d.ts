// The few parts of Node that an adapter uses, so that it needs no package of types.
declare module "node:readline" {
  export function createInterface(options: { input: unknown }): AsyncIterable<string>;
}
declare const process: { stdin: unknown; stdout: { write(text: string): boolean } };
