import { parseArgs } from 'node:util';

export const HELP = `npm run test:k8s [-- options] [words]

Deploys an overlay to the cluster that KUBECONFIG names, and does there what operators and people do: signs in, talks from two browsers
and, while twenty people work, changes every Deployment for another, ends pods, drains nodes, lets the autoscaler take chat from one pod
to three and back, asks along lines that are not drawn, says to come from elsewhere, and shows PodSecurity what it must refuse. With
words, only the steps that have one of them in their name. The images must be there (npm run build:images), the namespace must not: it is
removed at the end, also where something fails.

  --overlay <name>      dev, or small (unless told)
  --tag <tag>           the images' (0.9.0)
  --from <tag>          begins with images of this tag, and changes to --tag under load: an upgrade
  --load <command>      brings images into the cluster: it is called with their names
  --stand-ins           backing servers from atrium-standin/<server>:1 (npm run build:images -- --stand-ins)
  --url <address>       where NodePorts answer (http://127.0.0.1); with several nodes what leads to those that have a pod of the gateway
  --keep                leaves everything there
`;

export type Options = {
  overlay: 'dev' | 'small';
  tag: string;
  from: string | undefined;
  load: string | undefined;
  standIns: boolean;
  url: string;
  keep: boolean;
  words: string[];
};

/** What was typed after `npm run test:k8s --`; undefined where help is asked for. Throws a sentence on anything unknown. */
export function readOptions(args: string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      overlay: { type: 'string', default: 'small' },
      tag: { type: 'string', default: '0.9.0' },
      from: { type: 'string' },
      load: { type: 'string' },
      'stand-ins': { type: 'boolean', default: false },
      url: { type: 'string', default: 'http://127.0.0.1' },
      keep: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { overlay, tag, from, load, url, keep } = values;
  if (overlay !== 'dev' && overlay !== 'small') throw new Error(`--overlay must be dev or small, not ${overlay}`);
  return { overlay, tag, from, load, url, keep, standIns: values['stand-ins'], words: positionals };
}
