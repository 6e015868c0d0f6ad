import { parseArgs } from 'node:util';

export const HELP = `npm run test:k8s [-- options] [words]

Deploys an overlay to the cluster in KUBECONFIG and does what operators and users do: two browsers exchange messages
and, while twenty users work, Deployments are restarted, pods are killed, nodes are drained, and the autoscaler scales
chat from one pod to three and back. It also probes forbidden network paths, forges client addresses, and creates pods
that PodSecurity must reject. With words, it runs only the steps whose name contains one of them. The images must exist
(npm run build:images), and the namespace must not: it is deleted at the end, even after a failure.

  --overlay <name>      dev or small; default small
  --tag <tag>           the tag of the images; default 0.9.0
  --from <tag>          starts with images of this tag, and upgrades to --tag under load
  --load <command>      loads images into the cluster; called with their names
  --stand-ins           uses backing servers from atrium-standin/<server>:1 (npm run build:images -- --stand-ins)
  --url <address>       the address of NodePorts; default http://127.0.0.1. With several nodes, an address that leads to
                        nodes with a gateway pod
  --keep                keeps the namespace
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

/** Parses the arguments of `npm run test:k8s`. Returns undefined for --help, and throws if an argument is invalid. */
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
