// What other domains show of devices and positions. The only entry.
export { DevicesCard } from './devices-card.tsx'
export { DutyCard } from './duty-card.tsx'
export { PositionAsk } from './position-ask-later.ts'
export { TrackFileMenu } from './track-file-menu.tsx'
export {
  everyDuty,
  type SeenSubject,
  signalOf,
  useLivePositions,
  useSeenSubjects,
  useWatchedOrganization,
} from './use-seen-subjects.ts'
export { between, positionAt, speedBetween } from './replay/position-at.ts'
export { ReplayBar } from './replay/replay-bar.tsx'
export { shareOf, type Span, spanOf } from './replay/span.ts'
export { useReplay } from './replay/use-replay.ts'
