// Replaces @remix-run/route-config in workerd tests: the real package imports the whole build tool.
type Options = { id?: string };
export type Entry = { id?: string; path?: string; index?: boolean; file: string; children?: Entry[] };

export const index = (file: string, options: Options = {}): Entry => ({ file, index: true, ...options });
export const layout = (file: string, children: Entry[]): Entry => ({ file, children });
export function route(path: string, file: string, more: Options | Entry[] = {}): Entry {
  return Array.isArray(more) ? { path, file, children: more } : { path, file, ...more };
}
