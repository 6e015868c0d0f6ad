import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { hasModifier } from '#lib/has-modifier.ts';

type Options<Point> = {
  points: readonly Point[];
  positionOf: (point: Point) => number;
  isRtl: boolean;
};

/**
 * A cursor on the points of a line, moved by the pointer, or as a slider by the keyboard. Without one, the last point is
 * current.
 */
export function usePointCursor<Point>({ points, positionOf, isRtl }: Options<Point>) {
  const [chosen, setChosen] = useState<number>();
  const last = points.length - 1;
  const index = chosen === undefined ? last : Math.min(chosen, last);

  const onKeyDown = (event: KeyboardEvent) => {
    if (hasModifier(event)) return;
    const step = { ArrowLeft: isRtl ? 1 : -1, ArrowRight: isRtl ? -1 : 1, ArrowDown: -1, ArrowUp: 1 }[event.key];
    const target = { Home: 0, End: last }[event.key] ?? (step === undefined ? undefined : index + step);
    if (target === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(last, target)));
  };
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent) => {
    const drawing = currentTarget.querySelector('svg');
    if (!drawing) return;
    const { left, width } = drawing.getBoundingClientRect();
    const position = ((clientX - left) / width) * drawing.viewBox.baseVal.width;
    setChosen(findNearest(points, (point) => Math.abs(positionOf(point) - position)));
  };
  const clear = () => setChosen(undefined);
  return {
    point: points[index],
    isActive: chosen !== undefined,
    sliderProps: {
      role: 'slider',
      tabIndex: 0,
      'aria-valuemin': 0,
      'aria-valuemax': Math.max(0, last),
      'aria-valuenow': Math.max(0, index),
      onKeyDown,
      onPointerMove,
      onPointerLeave: clear,
      onBlur: clear,
    },
  } as const;
}

function findNearest<Point>(points: readonly Point[], distanceTo: (point: Point) => number): number {
  let nearest = 0;
  for (const [index, point] of points.entries()) {
    const current = points[nearest];
    if (current !== undefined && distanceTo(point) < distanceTo(current)) nearest = index;
  }
  return nearest;
}
