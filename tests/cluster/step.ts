import type { Judge } from '../laboratory/judge.ts';
import type { Deployment } from './deploy-overlay.ts';
import type { Kubectl } from './kubectl.ts';
import type { Office } from './office.ts';
import type { Options } from './options.ts';

export type Place = { kubectl: Kubectl; deployment: Deployment; options: Options; office: Office; judge: Judge };

export type Step = { name: string; run(place: Place): Promise<void> };
