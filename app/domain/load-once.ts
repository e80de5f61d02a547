// Modules that load on first use.

/**
 * Returns a function that loads a module when it is first called, and then keeps it. It keeps the module and not its
 * promise, because workerd ends a request that waits for a promise of another.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let module: Module | undefined;
  return async () => {
    module ??= await load();
    return module;
  };
}
