import { spawn } from 'node:child_process';
import { mainOf } from './mains.ts';

/** The program of a `dev` image: its sources, started again when one of them has been changed, with a port for a debugger. */
const name = process.env.SERVICE;
if (!name) throw new Error('SERVICE is needed: the name of a service');
const args = ['--watch', '--inspect=0.0.0.0:9229', mainOf(name), ...process.argv.slice(2)];
const child = spawn(process.execPath, args, { stdio: 'inherit' });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
