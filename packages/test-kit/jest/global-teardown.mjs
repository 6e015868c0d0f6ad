export default async () => {
  const servers = globalThis.atriumTestServers;
  globalThis.atriumTestServers = undefined;
  if (servers) await (await servers)();
};
