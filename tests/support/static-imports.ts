// A Vite plugin that makes the server's dynamic imports static. Two requests that begin the same import share its promise
// in the tests, and workerd settles no promise of one request in another.
import type { Plugin } from "vite";

const SERVER_CODE = /\/app\/.*\.server\.ts$|\/workers\/.*\.ts$/;
const TEST = /\.test\.ts$/;

export const staticImports = (): Plugin => ({
  name: "static-imports",
  transform(code, id) {
    if (!SERVER_CODE.test(id) || TEST.test(id)) return;
    const added: string[] = [];
    const changed = code.replace(/\bimport\(("[^"]+")\)/g, (_, path: string) => {
      const name = `imported${added.length}`;
      added.push(`import * as ${name} from ${path};`);
      return `Promise.resolve(${name})`;
    });
    // Imports are hoisted, so they may come last and move no line.
    return added.length > 0 ? { code: `${changed}\n${added.join("\n")}`, map: null } : undefined;
  },
});
