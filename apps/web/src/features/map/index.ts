// What other domains know of the map in addition to its drawings, which they load later. The only way in.
export { trackColors } from './basemap/track-colors.ts'
