// `POST /actuator/refresh`: reloads the settings and answers with the keys that changed.
import type { IncomingMessage } from 'node:http';
import {
  Controller,
  Inject,
  Module,
  Post,
  Req,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import { json, type Answer } from '../answers/answer.js';
import { readBody } from '../requests/body.js';
import { RateLimit } from '../rate-limit/rate-limit.guard.js';

const PATH = 'actuator/refresh';
/** The body is ignored; clients send small ones out of habit. */
const MAX_BODY_BYTES = 65_536;
/** The error code of a reload whose settings are not valid. */
const REJECTED = 'SETTINGS_INVALID';

/** The changed keys, or all violations if the reload was rejected. */
export type RefreshOutcome =
  | {
      readonly changed: readonly string[];
      /** Keys whose new values, from this reload or an earlier one, need a restart. */
      readonly restart: readonly string[];
    }
  | { readonly problems: readonly string[] };

export interface RefreshOptions {
  /** Reloads all settings. @param reason for the log */
  readonly reload: (reason: string) => Promise<RefreshOutcome>;
  /**
   * Authorises the caller, before anything else.
   * @returns the caller, for the log: `192.0.2.1`, `ann at 192.0.2.1`
   * @throws AdmissionError
   */
  readonly admit: (request: IncomingMessage) => Promise<string>;
  /** Called after each reload, for the audit trail. */
  readonly record: (requested: RequestedReload) => void;
}

/** A reload that a caller requested, and how it ended. */
export interface RequestedReload {
  readonly outcome: 'success' | 'failure';
  /** The error code of a failure. */
  readonly reason?: string;
  /** Who requested it, and from where. */
  readonly details: { readonly cause: string };
}

/** Options made from providers of other modules. */
export type RefreshAsyncOptions = Pick<ModuleMetadata, 'imports'> &
  Pick<FactoryProvider<RefreshOptions>, 'inject' | 'useFactory'>;

/** Injection token of {@link RefreshOptions}. */
const REFRESH_OPTIONS = Symbol('REFRESH_OPTIONS');

@Controller(PATH)
class RefreshController {
  constructor(@Inject(REFRESH_OPTIONS) private readonly options: RefreshOptions) {}

  @Post()
  @RateLimit('refresh')
  async reload(@Req() request: IncomingMessage): Promise<Answer> {
    const caller = await this.options.admit(request);
    await readBody(request, MAX_BODY_BYTES);
    const cause = `POST /${PATH} from ${caller}`;
    const outcome = await this.options.reload(cause);
    const details = { cause };
    this.options.record(
      'problems' in outcome
        ? { outcome: 'failure', reason: REJECTED, details }
        : { outcome: 'success', details },
    );
    return answerOf(outcome);
  }
}

@Module({})
export class RefreshModule {
  static forRoot(options: RefreshOptions): DynamicModule {
    return RefreshModule.forRootAsync({ useFactory: () => options });
  }

  static forRootAsync({ imports = [], ...factory }: RefreshAsyncOptions): DynamicModule {
    return {
      module: RefreshModule,
      imports,
      controllers: [RefreshController],
      providers: [{ provide: REFRESH_OPTIONS, ...factory }],
    };
  }
}

function answerOf(outcome: RefreshOutcome): Answer {
  if ('problems' in outcome) {
    const { problems } = outcome;
    const message = 'nothing was changed: the current settings stay';
    return json(409, { code: REJECTED, message, problems });
  }
  const { changed, restart } = outcome;
  const keys = [...new Set([...changed, ...restart])]
    .toSorted()
    .map((key) => (restart.includes(key) ? `${key} (restart required)` : key));
  return json(200, keys);
}
