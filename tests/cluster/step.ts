import type { ReportResult } from '../simulation/failure-collector.ts';
import type { BackgroundTraffic } from './background-traffic.ts';
import type { Deployment } from './deploy-overlay.ts';
import type { Kubectl } from './kubectl.ts';
import type { Options } from './options.ts';

export type StepContext = {
  kubectl: Kubectl;
  deployment: Deployment;
  options: Options;
  traffic: BackgroundTraffic;
  report: ReportResult;
};

export type Step = { name: string; run(context: StepContext): Promise<void> };
