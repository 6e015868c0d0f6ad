import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

const INITIAL_WIDTH = 480;
const MIN_WIDTH = 240;

type ChartSize = { ref: RefObject<HTMLDivElement | null>; width: number; isRtl: boolean };

/** Measures the width of a chart, so that its text keeps its size, and the direction of the interface. */
export function useChartSize(): ChartSize {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: INITIAL_WIDTH, isRtl: false });
  useLayoutEffect(() => {
    const box = ref.current;
    if (!box) return;
    const measure = () => {
      const width = Math.max(MIN_WIDTH, Math.round(box.clientWidth));
      const isRtl = getComputedStyle(box).direction === 'rtl';
      setSize((before) => (before.width === width && before.isRtl === isRtl ? before : { width, isRtl }));
    };
    measure();
    const resizes = new ResizeObserver(measure);
    resizes.observe(box);
    const directions = new MutationObserver(measure);
    directions.observe(document.documentElement, { attributeFilter: ['dir'] });
    return () => {
      resizes.disconnect();
      directions.disconnect();
    };
  }, []);
  return { ref, ...size };
}
