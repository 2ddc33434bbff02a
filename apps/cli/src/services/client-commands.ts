// The commands `tessera client …` with their options.
import type { Command } from 'commander';
import {
  addClient,
  type AddClientOptions,
  type ClientChange,
  type NewSecretOptions,
  removeClient,
  renewSecret,
  updateClient,
} from './client-changes.js';
import { withClientDefaultOptions, withClientOptions } from './client-options.js';
import { listClients, showClient } from './client-views.js';
import type { ServiceCommandContext } from './service-changes.js';
import { withSharedDefaultOptions, withSharedOptions } from './service-options.js';

const ID = 'its client id';

const ADD_NOTES = `
The secret is not shown again: "tessera client secret" makes another.
Its scopes choose among all attributes of the user, or those that --release names.
With --service, the service keeps its own release of attributes.

Examples:
  tessera client add --name Wiki --redirect-uri https://wiki.example.org/callback
  tessera client add --name Notes --native --public --redirect-uri org.example.notes:/callback
  tessera client add --service 2 --redirect-uri https://wiki.example.org/callback`;

const UPDATE_NOTES = `
An option replaces its whole field: --redirect-uri removes all other redirect URIs.
--no-<option> puts the field back to its default.
"tessera service" enables and disables a client too, by the number of its service.`;

/** Adds `client` and its subcommands to `program`. */
export function registerClientCommands(program: Command, context: ServiceCommandContext): void {
  const client = program
    .command('client')
    .description('the services that use OpenID Connect; see docs/oidc-clients.md');
  registerChanges(client, context);
  client
    .command('list')
    .description('all clients')
    .option('--json', 'as a JSON array, with all fields')
    .action((options: { readonly json?: boolean }) => listClients(options, context));
  client
    .command('show')
    .description('one client, with all fields')
    .argument('<id>', ID)
    .option('--json', 'as a JSON object')
    .action((id: string, options: { readonly json?: boolean }) => showClient(id, options, context));
}

function registerChanges(client: Command, context: ServiceCommandContext): void {
  registerAdd(client).action((options: AddClientOptions) => addClient(options, context));
  registerUpdate(client).action((id: string, options: ClientChange) =>
    updateClient(id, options, context),
  );
  client
    .command('remove')
    .description('remove a client; a service with a pattern stays one of CAS')
    .argument('<id>', ID)
    .action((id: string) => removeClient(id, context));
  client
    .command('secret')
    .description('make a new secret and print it; the old ones end')
    .argument('<id>', ID)
    .option('--keep-old <duration>', 'when the old ones end, such as 24h; at once without it')
    .option('--json', 'as a JSON object')
    .action((id: string, options: NewSecretOptions) => renewSecret(id, options, context));
}

function registerAdd(client: Command): Command {
  const command = client
    .command('add')
    .description('add a client, and print its id and its secret')
    .option('--name <name>', 'its name')
    .option('--client-id <id>', 'its client id; a random one without it')
    .option('--service <number>', 'make this service a client too')
    .option('--json', 'as a JSON object')
    .addHelpText('after', ADD_NOTES);
  return withSharedOptions(withClientOptions(command));
}

function registerUpdate(client: Command): Command {
  const command = client
    .command('update')
    .description('change the fields of a client that options name; all others stay')
    .argument('<id>', ID)
    .option('--name <name>', 'its name')
    .addHelpText('after', UPDATE_NOTES);
  withSharedDefaultOptions(withSharedOptions(command));
  return withClientDefaultOptions(withClientOptions(command));
}
