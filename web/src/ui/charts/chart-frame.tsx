import { ChartColumn, Download, Table2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { styled } from 'styled-components';
import { downloadCsv } from '#lib/csv.ts';
import { Button } from '../button.tsx';
import { captionStyles, hiddenInPrint } from '../mixins.ts';
import { showError } from '../overlays/toast.ts';
import { CardSurface } from '../pages/card.tsx';
import { theme } from '../theme.ts';
import { type ChartTable, DataTable, tableValues } from './data-table.tsx';

type Props = {
  title: string;
  /** What the figures mean, in one or two sentences. */
  description: ReactNode;
  /** How to use the chart; not printed. */
  hint?: string | undefined;
  table: ChartTable;
  /** Name of the downloaded file, without its extension. */
  fileName: string;
  children: ReactNode;
};

/** A chart with its table, which can be shown instead and downloaded. */
export function ChartFrame({ title, description, hint, table, fileName, children }: Props) {
  const [isTable, setTable] = useState(false);
  const headingId = useId();
  const download = async () => {
    try {
      await downloadCsv(`${fileName}.csv`, table.header, tableValues(table));
    } catch {
      showError('Failed to download the table', 'Please check the connection and try again.');
    }
  };
  return (
    <Surface as="section" aria-labelledby={headingId}>
      <Head>
        <h3 id={headingId}>{title}</h3>
        <Tools>
          <Button
            size="sm"
            variant="ghost"
            icon={isTable ? <ChartColumn /> : <Table2 />}
            onPress={() => setTable(!isTable)}
          >
            {isTable ? 'Show chart' : 'Show table'}
          </Button>
          <Button size="sm" variant="ghost" icon={<Download />} onPress={() => void download()}>
            Download CSV
          </Button>
        </Tools>
      </Head>
      <Description>
        <bdi>
          {description}
          {hint !== undefined && <Hint> {hint}</Hint>}
        </bdi>
      </Description>
      {isTable ? <DataTable label={title} table={table} /> : children}
    </Surface>
  );
}

const Surface = styled(CardSurface)`
  padding: ${theme.space[4]} ${theme.gutter.card} ${theme.space[5]};
  @media print {
    box-shadow: none;
    break-inside: avoid;
    /* A chart that is longer than a page begins below its title. */
    > header,
    > p {
      break-after: avoid;
    }
  }
`;

const Head = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0 ${theme.space[4]};
`;

const Description = styled.p`
  margin-bottom: ${theme.space[4]};
  max-width: 68ch;
  ${captionStyles}
`;

const Hint = styled.span`
  ${hiddenInPrint}
`;

const Tools = styled.div`
  display: flex;
  gap: ${theme.space[1]};
  margin-inline: -8px;
  ${hiddenInPrint}
`;
