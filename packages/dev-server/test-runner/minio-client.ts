import { goBuild } from '../backing/providers/go-build.ts';
import { inContainer } from '../backing/providers/in-container.ts';
import type { LauncherContext, Program } from '../backing/server.ts';
import { findTool } from './find-tool.ts';

/** The client that lies beside MinIO's server in its image. Not one on the PATH: another program is called `mc`, too. */
export const minioClient = goBuild({
  server: 'objects',
  folder: 'mc',
  module: 'github.com/minio/mc',
  target: 'github.com/minio/mc',
});

/** MinIO's client by itself, or its image. */
export const findMinioClient = (toolbox: LauncherContext): Promise<Program> =>
  findTool('mc', [minioClient, inContainer('objects')], toolbox);
