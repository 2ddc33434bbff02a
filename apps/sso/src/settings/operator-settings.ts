// The settings of the operator's API and console: their address, and the roles that may use them.
import type { Request } from 'express';
import { Setting, text, type Violation } from '@tessera/config';
import type { RoleSettings } from './required-role.js';
import type { ManagementSettings } from './management-settings.js';
import { patternViolations } from './setting-rules.js';

const ROLE_NAME = 'management.role-name';
const OPERATOR = 'management.operator-role';
const READ_ONLY = 'management.read-only-role';

export class OperatorSettings {
  /** The URL of the management server for browsers; empty for a name of this machine. */
  @Setting('management.base-url', text) baseUrl = '';
  /** The attribute that holds roles; empty permits no user. */
  @Setting('management.role-name', text, { dev: 'memberOf' }) roleName = '';
  /** Patterns in RE2 syntax; each must match one whole value. */
  @Setting('management.operator-role', text, { dev: 'admin' }) operatorRole = '';
  @Setting('management.read-only-role', text, { dev: 'auditor' }) readOnlyRole = '';

  /** Users with it may read and change everything. */
  get operator(): RoleSettings {
    return { roleName: this.roleName, roleValue: this.operatorRole };
  }

  /** Users with it may read everything. */
  get reader(): RoleSettings {
    return { roleName: this.roleName, roleValue: this.readOnlyRole };
  }

  *check(): Iterable<Violation> {
    const hasRole = this.operatorRole !== '' || this.readOnlyRole !== '';
    if (hasRole && this.roleName === '') {
      yield { key: ROLE_NAME, message: `is required with ${OPERATOR} and ${READ_ONLY}` };
    }
    if (this.roleName !== '' && !hasRole) {
      yield { key: ROLE_NAME, message: `is of no effect without ${OPERATOR} or ${READ_ONLY}` };
    }
    yield* patternViolations(OPERATOR, this.operatorRole);
    yield* patternViolations(READ_ONLY, this.readOnlyRole);
    yield* checkBaseUrl(this.baseUrl);
  }
}

/** Paths are appended to it. */
function* checkBaseUrl(baseUrl: string): Iterable<Violation> {
  if (baseUrl === '') return;
  const key = 'management.base-url';
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    yield { key, message: 'must be an http or https URL' };
  } else if (url.origin !== baseUrl) {
    yield { key, message: 'must have no path, query, fragment or user, nor a slash at its end' };
  }
}

interface WithOperators {
  readonly operator: OperatorSettings;
  readonly management: ManagementSettings;
  readonly managementServer: { readonly isOn: boolean; readonly port: number };
}

/** Whether anybody may use the operator's API, so that the management server has it. */
export function hasOperatorApi({ operator, management }: WithOperators): boolean {
  return operator.roleName !== '' || management.token !== undefined;
}

/** URL of the console; undefined without one. */
export function consoleUrl(settings: WithOperators): string | undefined {
  const hasConsole = settings.managementServer.isOn && settings.operator.roleName !== '';
  return hasConsole ? `${managementUrl(settings)}/console/` : undefined;
}

/** A host of its own, because a cookie of `localhost` goes to all its ports. @see RFC 6761 §6.3 */
const OWN_HOST = 'console.localhost';

/** URL of the management server for browsers, without a slash at its end. */
export function managementUrl({ operator, managementServer }: WithOperators): string {
  return operator.baseUrl || `http://${OWN_HOST}:${managementServer.port}`;
}

/**
 * Where a browser finds this page of the management server; undefined where it is there. Where the settings name the URL, a
 * proxy may have changed the host.
 */
export function addressAtOwnHost(
  { headers, originalUrl }: Request,
  settings: WithOperators,
): string | undefined {
  const own = managementUrl(settings);
  const isThere = settings.operator.baseUrl !== '' || headers.host === new URL(own).host;
  return isThere ? undefined : own + originalUrl;
}
