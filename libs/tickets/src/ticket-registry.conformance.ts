// The conformance suite of ticket registries. The spec of each implementation runs it.
import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeConsuming } from './conformance/consuming.conformance.js';
import { describeEnding } from './conformance/ending.conformance.js';
import { describeGranting } from './conformance/granting.conformance.js';
import { describeLogoutQueue } from './conformance/logout-queue.conformance.js';
import { Nodes, present, type RegistryUnderTest } from './conformance/nodes.conformance.js';
import { describeRenewing } from './conformance/renewing.conformance.js';
import { describeSessionAdministration } from './conformance/session-administration.conformance.js';
import { describeSessionServices } from './conformance/session-services.conformance.js';
import { describeSessions } from './conformance/sessions.conformance.js';

export function describeTicketRegistry(
  name: string,
  setUp: () => Promise<RegistryUnderTest>,
): void {
  describe(`ticket registry ${name}`, () => {
    let underTest: RegistryUnderTest | undefined;
    let nodes: Nodes | undefined;

    beforeAll(async () => {
      underTest = await setUp();
      nodes = new Nodes(underTest);
    });
    afterAll(() => underTest?.close());

    describeConsuming(() => present(nodes));
    describeGranting(() => present(nodes));
    describeSessions(() => present(nodes));
    describeRenewing(() => present(nodes));
    describeEnding(() => present(nodes));
    describeSessionAdministration(() => present(nodes));
    describeSessionServices(() => present(nodes));
    describeLogoutQueue(() => present(nodes));
  });
}
