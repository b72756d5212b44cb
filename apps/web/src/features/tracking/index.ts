// What other domains show of devices. The only way in.
export { DevicesCard } from './devices-card.tsx'
