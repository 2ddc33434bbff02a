// Owns what `tessera start` prints once everything runs: where it is, and what to try next.
import type { ReadyMessage } from '@tessera/server';
import type { Announcements } from './fleet.js';

export function welcome(announcements: Announcements): string {
  const sso = announcements.get('sso');
  const configServer = announcements.get('config-server');
  const lines = [
    '',
    'Tessera is running.',
    ...(sso ? [`  SSO API        ${sso.listening}`] : []),
    ...(configServer ? [`  config server  ${configServer.listening}`] : []),
    '',
    ...(sso?.isDemo ? ticketTour(sso) : []),
    ...(configServer?.isDemo ? configTour(configServer.listening) : []),
    'Ctrl-C stops everything.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function ticketTour({ listening: sso, hasOwnDatabase }: ReadyMessage): readonly string[] {
  const database = hasOwnDatabase ? ' embedded PostgreSQL in .data/postgres,' : '';
  return [
    `This is a development set-up: demo user casuser with password Mellon,${database}`,
    'services on localhost. Log in, get a service ticket, redeem it:',
    '',
    `  TGT=$(curl -s -H 'Accept: text/plain' -d 'username=casuser&password=Mellon' ${sso}/v1/tickets)`,
    `  ST=$(curl -s -d 'service=http://localhost:9000/app' ${sso}/v1/tickets/$TGT)`,
    `  curl "${sso}/p3/serviceValidate?service=http://localhost:9000/app&ticket=$ST"`,
    '',
  ];
}

function configTour(server: string): readonly string[] {
  return [
    'The config server serves ./config-repo, and has a key of its own in .data. Fetch settings, encrypt a secret, decrypt it:',
    '',
    `  curl ${server}/orders/prod`,
    `  SECRET=$(curl -s -H 'Content-Type: text/plain' -d 'pass+word' ${server}/encrypt)`,
    `  curl -H 'Content-Type: text/plain' -d "$SECRET" ${server}/decrypt`,
    '',
  ];
}
