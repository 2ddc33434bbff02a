// The application of a page about a web server, which shows the headers that it gets from there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { edited } from '../../deploy/document-code.js';
import { startWebProgram, type WebApplication } from '../web/web-program.js';
import { codeOf } from './guide-page.js';

export function startApplication(page: string): Promise<WebApplication> {
  return startWebProgram(async (port, folder) => {
    const program = join(folder, 'app.py');
    await writeFile(program, edited(codeOf(page, 'python')[0] ?? '', [['3000', String(port)]]));
    return { command: ['python3', program] };
  });
}
