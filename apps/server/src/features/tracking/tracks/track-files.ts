import type { Track, TrackFormat, TrackGap, TrackPoint } from '@tour-ops/contract/tracking/tracks'
import { csvFile } from '../../../platform/csv.ts'
import { piecesOf } from '@tour-ops/contract/tracking/track-pieces'

/** One track of a file. */
export interface FileTrack extends Pick<Track, 'subject'> {
  readonly points: readonly TrackPoint[]
  readonly gaps: readonly TrackGap[]
}

/** What a file is made of. */
export interface TrackFile {
  readonly name: string
  readonly madeAt: Date
  readonly tracks: readonly FileTrack[]
}

const timeOf = (at: number): string => new Date(at).toISOString()

/** Text of an element or attribute. Characters that XML 1.0 has no way to write are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- these are what must not be in it
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** GPX 1.1: a track for each, with a segment between gaps. Source: https://www.topografix.com/GPX/1/1/ */
function gpxOf({ madeAt, tracks }: TrackFile): string {
  const pointOf = ({ at, lat, lng, altitudeM }: TrackPoint) =>
    `<trkpt lat="${lat}" lon="${lng}">${altitudeM === null ? '' : `<ele>${altitudeM}</ele>`}<time>${timeOf(at)}</time></trkpt>`
  const trackOf = ({ subject, points, gaps }: FileTrack) =>
    `<trk><name>${escaped(subject.name)}</name>\n${piecesOf(points, gaps)
      .map((piece) => `<trkseg>\n${piece.map(pointOf).join('\n')}\n</trkseg>\n`)
      .join('')}</trk>\n`
  return `${xmlHead}<gpx version="1.1" creator="Tour operations" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><time>${madeAt.toISOString()}</time></metadata>
${tracks.map(trackOf).join('')}</gpx>\n`
}

/** KML with the times of the points, which plain lines of KML do not have. Source: https://developers.google.com/kml/documentation/kmlreference#gxtrack */
function kmlOf({ name, tracks }: TrackFile): string {
  const pieceOf = (piece: readonly TrackPoint[]) =>
    `<gx:Track><altitudeMode>clampToGround</altitudeMode>\n${piece.map(({ at }) => `<when>${timeOf(at)}</when>`).join('\n')}\n${piece
      .map(({ lat, lng, altitudeM }) => `<gx:coord>${lng} ${lat} ${altitudeM ?? 0}</gx:coord>`)
      .join('\n')}\n</gx:Track>\n`
  const trackOf = ({ subject, points, gaps }: FileTrack) =>
    `<Placemark><name>${escaped(subject.name)}</name>\n<gx:MultiTrack>\n${piecesOf(points, gaps).map(pieceOf).join('')}</gx:MultiTrack></Placemark>\n`
  return `${xmlHead}<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document><name>${escaped(name)}</name>
${tracks.map(trackOf).join('')}</Document></kml>\n`
}

/** GeoJSON (RFC 7946): a line for each piece, with the times of its points; a point where a piece is a single one. */
function geojsonOf({ tracks }: TrackFile): string {
  const positionOf = ({ lat, lng, altitudeM }: TrackPoint) => (altitudeM === null ? [lng, lat] : [lng, lat, altitudeM])
  const featureOf = (subject: FileTrack['subject'], piece: readonly TrackPoint[]) => ({
    type: 'Feature',
    properties: { ...subject, coordinateProperties: { times: piece.map(({ at }) => timeOf(at)) } },
    geometry:
      piece.length === 1
        ? { type: 'Point', coordinates: positionOf(piece[0] as TrackPoint) }
        : { type: 'LineString', coordinates: piece.map(positionOf) },
  })
  const features = tracks.flatMap(({ subject, points, gaps }) =>
    piecesOf(points, gaps).map((piece) => featureOf(subject, piece)),
  )
  return JSON.stringify({ type: 'FeatureCollection', features })
}

type CsvPoint = TrackPoint & Pick<FileTrack, 'subject'>

const csvOf = ({ name, tracks }: TrackFile): string =>
  csvFile<CsvPoint>(
    name,
    {
      name: ({ subject }) => subject.name,
      kind: ({ subject }) => subject.kind,
      time: ({ at }) => timeOf(at),
      latitude: ({ lat }) => lat,
      longitude: ({ lng }) => lng,
      altitude_m: ({ altitudeM }) => altitudeM,
      speed_mps: ({ speedMps }) => speedMps,
    },
    tracks.flatMap(({ subject, points }) => points.map((point) => ({ ...point, subject }))),
  ).csv

/** How each kind of file is written, and how browsers and mail programs call it. */
export const trackFiles: Readonly<Record<TrackFormat, { mediaType: string; write: (file: TrackFile) => string }>> = {
  gpx: { mediaType: 'application/gpx+xml', write: gpxOf },
  kml: { mediaType: 'application/vnd.google-earth.kml+xml', write: kmlOf },
  geojson: { mediaType: 'application/geo+json', write: geojsonOf },
  csv: { mediaType: 'text/csv;charset=utf-8', write: csvOf },
}
