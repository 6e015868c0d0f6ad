import { launch } from './start/launch.ts';
import { chosenOptions, HELP } from './start/options.ts';
import { startSystemIn } from './system/start-system.ts';

const options = chosenOptions(HELP);
if (options) await launch(options, startSystemIn);
