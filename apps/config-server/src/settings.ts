// Owns the settings of the config server: keys, defaults and the rules between them. @see docs/configuration.md
import { Max, Min } from 'class-validator';
import { CoreSettings, integer, Setting, text } from '@tessera/settings';

export class ConfigServerSettings extends CoreSettings {
  @Setting('config-server.host', text) host = '127.0.0.1';
  @Setting('config-server.port', integer) @Min(0) @Max(65_535) port = 8888;

  get baseUrl(): string {
    return `http://${this.host}:${this.port}`;
  }
}
