import { loadLater } from '../../ui/load-later.tsx'

/** Of no use to the map, which needs the rest of what is shown of devices at once. */
export const PositionAsk = loadLater(() => import('./position-ask.tsx').then((module) => module.PositionAsk))
