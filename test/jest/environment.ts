// Runs a spec in the realm of its worker, whose packages the specs share. What a spec leaves there is undone after it.
import { ModernFakeTimers } from '@jest/fake-timers';
import { useContainer } from 'class-validator';
import { ModuleMocker } from 'jest-mock';

type Listener = (...values: unknown[]) => void;
type FakeTimersConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/** What the decorators of the shared modules tell typeorm and class-validator. */
const SHARED_GLOBALS: readonly PropertyKey[] = [
  'typeormMetadataArgsStorage',
  'classValidatorMetadataStorage',
];

/** jest-circus appends its handlers of each file to this property. */
const HANDLERS = Symbol.for('EVENT_HANDLERS');

// The container of class-validator searches a list, which would grow with every spec.
const validators = new WeakMap<object, unknown>();
useContainer({
  get: (type: new () => object) => {
    if (!validators.has(type)) validators.set(type, new type());
    return validators.get(type);
  },
});

export default class WorkerRealm {
  readonly global = globalThis;
  readonly fakeTimers = null;
  readonly fakeTimersModern: ModernFakeTimers;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly #globals = Object.getOwnPropertyDescriptors(globalThis);
  readonly #process = {
    env: process.env,
    exit: process.exit,
    exitCode: process.exitCode,
    getBuiltinModule: process.getBuiltinModule,
  };
  readonly #listeners = new Map(
    process.eventNames().map((name) => [name, process.rawListeners(name)]),
  );

  constructor({ projectConfig: config }: { projectConfig: FakeTimersConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
    Reflect.deleteProperty(globalThis, HANDLERS);
    process.env = { ...process.env };
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): object {
    return globalThis;
  }

  setup(): Promise<void> {
    return Promise.resolve();
  }

  teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    Object.assign(process, this.#process);
    for (const name of process.eventNames()) {
      const before = this.#listeners.get(name) ?? [];
      const added = process.rawListeners(name).filter((listener) => !before.includes(listener));
      for (const listener of added) process.removeListener(name, listener as Listener);
    }
    for (const key of Reflect.ownKeys(globalThis)) {
      if (SHARED_GLOBALS.includes(key)) continue;
      if (!Object.hasOwn(this.#globals, key)) Reflect.deleteProperty(globalThis, key);
    }
    return Promise.resolve();
  }
}
