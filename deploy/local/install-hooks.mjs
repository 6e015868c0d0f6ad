// Runs as npm's `prepare`. A checkout without git (an image build, a tarball) has no hooks to install.
import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

if (existsSync('.git') && existsSync('node_modules/.bin/simple-git-hooks') && process.env.CI !== 'true') {
  spawnSync('node_modules/.bin/simple-git-hooks', { stdio: 'inherit' });
}
