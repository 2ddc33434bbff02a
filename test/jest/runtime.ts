// Lets the specs of a worker share packages and the project's modules, which Node loads once, instead of loading all of
// them again for each spec. Specs and their support are Jest's. Needs `environment.ts`, for both must have one realm.
import { createRequire, registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { types } from 'node:util';
import vm from 'node:vm';
import * as jestRuntime from 'jest-runtime';
// oxlint-disable-next-line import/no-unassigned-import -- registers the hook that resolves the imports of our modules
import '../support/resolve-sources.ts';

/** What this file replaces inside `jest-runtime`, which declares it private. */
interface Internals {
  _resolution: { resolveCjs: (from: string, name: string) => string };
  esmLoader: {
    buildCjsAsEsmSyntheticModule: (from: string, path: string, context: object) => vm.Module;
    pendingCjsBuildIsUnmarkedEsm: (pending: { modulePath: string }) => boolean;
  };
  transformCache: {
    transform: (path: string, options: object) => string;
    sourceMaps: Map<string, string>;
  };
}

const PACKAGES = `${sep}node_modules${sep}`;
const ROOT = join(import.meta.dirname, '../..');
/** Sources of the project, without specs and conformance suites, which import Jest. */
const SOURCE = /^(?:apps|libs)\/(?!.*\.(?:spec|conformance)\.ts$)(?!.*\/conformance\/).*\.ts$/;
/** What Jest says about a module that it compiles for Node. */
const ESM_OPTIONS = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};
/** The packages of Jest with the state of one test file. */
const STATEFUL = `${PACKAGES}jest-circus${sep}`;

/** Its types are those of a CommonJS package. */
const Runtime = jestRuntime.default as unknown as typeof jestRuntime.default.default;
const load = createRequire(import.meta.url);
const sharedModules = new Map<string, vm.Module>();
/** Files with the source map of a shared module, by the URL of the module. */
const sourceMaps = new Map<string, string>();
/** Jest's compiler, for the spec that runs. */
let compiler: Internals['transformCache'] | undefined;

export default class SharingRuntime extends Runtime {
  constructor(...options: ConstructorParameters<typeof Runtime>) {
    super(...options);
    const { esmLoader, transformCache } = this as unknown as Internals;
    compiler = transformCache;
    for (const [url, map] of sourceMaps) compiler.sourceMaps.set(url, map);
    const build = esmLoader.buildCjsAsEsmSyntheticModule.bind(esmLoader);
    esmLoader.buildCjsAsEsmSyntheticModule = (from, path, context) =>
      isShared(path) ? sharedModule(path) : build(from, path, context);
    const isUnmarkedModule = esmLoader.pendingCjsBuildIsUnmarkedEsm.bind(esmLoader);
    esmLoader.pendingCjsBuildIsUnmarkedEsm = (pending) =>
      !isShared(pending.modulePath) && isUnmarkedModule(pending);
  }

  /** A shared module of either kind takes the way of CommonJS, which is synchronous. */
  override unstable_shouldLoadAsEsm(path: string): boolean {
    return !isShared(path) && super.unstable_shouldLoadAsEsm(path);
  }

  override requireModule(from: string, name?: string, ...options: never[]): never {
    const path =
      name === undefined ? from : (this as unknown as Internals)._resolution.resolveCjs(from, name);
    return isShared(path) ? (load(path) as never) : super.requireModule(from, name, ...options);
  }

  override requireInternalModule(path: string): never {
    if (path.includes(STATEFUL)) {
      for (const file of Object.keys(load.cache)) {
        if (file.includes(STATEFUL)) Reflect.deleteProperty(load.cache, file);
      }
    }
    return load(path) as never;
  }
}

function isShared(path: string): boolean {
  return path.includes(PACKAGES) || isSource(path);
}

function isSource(path: string): boolean {
  return path.startsWith(ROOT + sep) && SOURCE.test(path.slice(ROOT.length + 1));
}

/** Compiles a module of the project; Jest keeps the result on disk. */
function compile(url: string): string {
  if (compiler === undefined) throw new Error(`no spec runs that imports ${url}`);
  const path = fileURLToPath(url);
  const code = compiler.transform(path, ESM_OPTIONS);
  const map = compiler.sourceMaps.get(path);
  if (map !== undefined) {
    sourceMaps.set(url, map);
    compiler.sourceMaps.set(url, map);
  }
  return code;
}

registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith('file:') || !isSource(fileURLToPath(url))) return next(url, context);
    return { format: 'module', source: compile(url), shortCircuit: true };
  },
});

function sharedModule(path: string): vm.Module {
  const known = sharedModules.get(path);
  if (known !== undefined) return known;
  const loaded = load(path) as object;
  const isNamespace = types.isModuleNamespaceObject(loaded);
  const exports = {
    ...loaded,
    ...(isNamespace ? {} : { default: loaded, 'module.exports': loaded }),
  };
  const module = new vm.SyntheticModule(
    Object.keys(exports),
    () => {
      for (const [name, value] of Object.entries(exports)) module.setExport(name, value);
    },
    { identifier: path },
  );
  sharedModules.set(path, module);
  return module;
}

// Node refuses the global object as the context of a module. None means the same.
const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
  compileFunction(
    code,
    parameters,
    parsingContext === globalThis ? options : { parsingContext, ...options },
  );
for (const kind of ['SourceTextModule', 'SyntheticModule'] as const) {
  const Module = vm[kind] as new (...options: unknown[]) => vm.Module;
  const InRealm = class extends Module {
    constructor(...options: unknown[]) {
      const { context, ...rest } = options.pop() as { context?: object };
      super(...options, context === globalThis ? rest : { context, ...rest });
    }
  };
  Object.assign(vm, { [kind]: InRealm });
}
