import { DEV_HELP } from './dev/help.ts';
import { startDevSystem } from './dev/start-dev-system.ts';
import { launch } from './start/launch.ts';
import { chosenOptions } from './start/options.ts';

const options = chosenOptions(DEV_HELP);
if (options) await launch(options, startDevSystem);
