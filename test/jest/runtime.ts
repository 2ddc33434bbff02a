// Lets the specs of a worker share packages, which Node loads once, instead of loading all of them again for each spec.
// The modules of the project are Jest's: each spec has its own. Needs `environment.ts`, for both must have one realm.
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { types } from 'node:util';
import vm from 'node:vm';
import * as jestRuntime from 'jest-runtime';

/** What this file replaces inside `jest-runtime`, which declares it private. */
interface Internals {
  _resolution: { resolveCjs: (from: string, name: string) => string };
  esmLoader: {
    buildCjsAsEsmSyntheticModule: (from: string, path: string, context: object) => vm.Module;
    pendingCjsBuildIsUnmarkedEsm: (pending: { modulePath: string }) => boolean;
  };
}

const PACKAGES = `${sep}node_modules${sep}`;
/** The first keeps the entities of every `forFeature`; the others read `DEBUG` when they are loaded. */
const UNSHARED = [join('@nestjs', 'typeorm'), 'node-vault', 'debug'];
/** The packages of Jest with the state of one test file. */
const STATEFUL = `${PACKAGES}jest-circus${sep}`;

/** Its types are those of a CommonJS package. */
const Runtime = jestRuntime.default as unknown as typeof jestRuntime.default.default;
const load = createRequire(import.meta.url);
const sharedModules = new Map<string, vm.Module>();

export default class SharingRuntime extends Runtime {
  constructor(...options: ConstructorParameters<typeof Runtime>) {
    super(...options);
    const { esmLoader } = this as unknown as Internals;
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
  const [, name] = path.split(PACKAGES);
  return name !== undefined && !UNSHARED.some((unshared) => name.startsWith(unshared + sep));
}

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
