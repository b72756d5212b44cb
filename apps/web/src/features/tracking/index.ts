// What other domains show of devices and positions. The only way in.
export { DevicesCard } from './devices-card.tsx'
export { type SeenSubject, signalOf, useSeenSubjects } from './use-seen-subjects.ts'
