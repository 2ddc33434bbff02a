// What single logout needs of each protocol: whom it tells of the end of a session, and by which request.
import { Injectable } from '@nestjs/common';
import type { RegisteredService } from '@tessera/services';
import type { ApplicationProtocol, LogoutMessage, SessionService } from '@tessera/tickets';

/** The policy of the logout page names the origin of each, in a header that proxies accept. */
const MAX_FRONT_CHANNEL_CALLS = 100;

export interface LogoutTarget {
  readonly service: RegisteredService;
  readonly url: string;
}

/** The fields of a form by their names. */
export type LogoutForm = Readonly<Record<string, string>>;

export interface EndedSession {
  /** The id of the principal. */
  readonly principal: string;
  readonly services: readonly SessionService[];
}

export interface LogoutProtocol {
  /**
   * The registration of an application with each of its logout URLs, as of now: it may have changed since the session
   * ended. None for one that is not registered any more, or has another logout type than `back`.
   */
  targetsOf(message: LogoutMessage): readonly LogoutTarget[];
  /** The form that is posted to a logout URL. Called at each attempt. */
  formOf(message: LogoutMessage, service: RegisteredService): LogoutForm | Promise<LogoutForm>;
  /** Whether an application that answers with this status has taken its message. */
  accepts(status: number): boolean;
  /**
   * The URLs that the browser calls to tell an application: one for each session index and logout URL. None for one that is
   * not registered any more, or has another logout type than `front`.
   *
   * @param principal the id of the principal
   */
  frontChannelCalls(principal: string, application: SessionService): readonly string[];
  /** Ends what applications of a user have that outlives sessions. @returns the number of grants */
  endGrants?(principal: string): Promise<number>;
}

/** The protocols that this process tells applications by. A module registers its own before the application starts. */
@Injectable()
export class LogoutProtocols {
  private readonly protocols = new Map<ApplicationProtocol, LogoutProtocol>();

  register(name: ApplicationProtocol, protocol: LogoutProtocol): void {
    this.protocols.set(name, protocol);
  }

  /** Undefined where no module of this process has registered it. */
  find(name: ApplicationProtocol): LogoutProtocol | undefined {
    return this.protocols.get(name);
  }

  /** Ends what applications of a user have that outlives sessions. @returns the number of grants */
  async endGrants(principal: string): Promise<number> {
    let ended = 0;
    for (const protocol of this.protocols.values()) {
      ended += (await protocol.endGrants?.(principal)) ?? 0;
    }
    return ended;
  }

  /** The calls of the front channel, which the logout page lets the browser make, at most 100. @see docs/login.md */
  frontChannelCalls({ principal, services }: EndedSession): readonly string[] {
    const calls = services.flatMap(
      (each) => this.find(each.protocol)?.frontChannelCalls(principal, each) ?? [],
    );
    return calls.slice(0, MAX_FRONT_CHANNEL_CALLS);
  }
}
