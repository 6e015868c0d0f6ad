import { launch } from './start/launch.ts';
import { HELP, readProcessOptions } from './start/options.ts';
import { launchSystem } from './system/start-system.ts';

const options = readProcessOptions(HELP);
if (options) await launch(options, launchSystem);
