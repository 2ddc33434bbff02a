// The application of docs/clients/flask.md.
import { PYTHON_TOOLS } from '../installation.js';
import { startWebProgram, type WebApplication } from '../web/web-program.js';
import { packageOf, saveCode } from './guide-page.js';

export const FLASK = packageOf('flask', PYTHON_TOOLS);

/** @param host of its URL, as browsers see it */
export async function startFlask(
  server: string,
  installed: string,
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<WebApplication> {
  const { url, stop } = await startWebProgram(async (port, folder) => {
    const program = await saveCode('flask', 'python', folder, 'app.py');
    return {
      command: ['python3', '-m', 'flask', '--app', program, 'run', '--port', String(port)],
      env: { CAS_URL: server, SITE_URL: `http://${host}:${port}`, PYTHONPATH: installed },
    };
  });
  return { url: url.replace('127.0.0.1', host), stop };
}
