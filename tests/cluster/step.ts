import type { Judge } from '../simulation/judge.ts';
import type { Office } from './background-traffic.ts';
import type { Deployment } from './deploy-overlay.ts';
import type { Kubectl } from './kubectl.ts';
import type { Options } from './options.ts';

export type Place = { kubectl: Kubectl; deployment: Deployment; options: Options; office: Office; judge: Judge };

export type Step = { name: string; run(place: Place): Promise<void> };
