/** Whether desktop files are dragged, as opposed to text or a link. */
export const hasFiles = ({ dataTransfer }: { dataTransfer: DataTransfer | null }): boolean =>
  dataTransfer?.types.includes('Files') ?? false;
