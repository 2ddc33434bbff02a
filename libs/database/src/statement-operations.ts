// Reports each statement of a session, for traces.
import type { ClientBase } from 'pg';
import { OperationChannel } from '@tessera/runtime';

export interface Statement {
  /** Of a prepared statement. */
  readonly name?: string | undefined;
  /** With placeholders for the values. */
  readonly text: string;
}

/** Statements of sessions that began while somebody observed. */
export const statementOperations = new OperationChannel<Statement>('tessera:statements');

type Query = (...parameters: unknown[]) => unknown;
type Described = string | (Statement & { readonly submit?: unknown });

/** Does nothing unless statements are observed. */
export function reportStatements(session: ClientBase): void {
  if (!statementOperations.hasObserver) return;
  const query = session.query.bind(session) as Query;
  const report: Query = (statement, ...rest) => {
    const described = statement as Described;
    const operation =
      typeof described === 'string'
        ? { text: described }
        : { name: described.name, text: described.text };
    if (typeof rest.at(-1) === 'function') {
      return statementOperations.runWithCallback(operation, query, [statement, ...rest]);
    }
    // Without a callback, the driver returns a submittable itself instead of a promise.
    if (typeof described === 'object' && described.submit !== undefined) {
      return query(statement, ...rest);
    }
    return statementOperations.run(operation, () => query(statement, ...rest) as Promise<unknown>);
  };
  session.query = report as ClientBase['query'];
}
