import { exportTracks, trackFormats } from '@tour-ops/contract/tracking/tracks'
import { Download } from 'lucide-react'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Menu } from '../../ui/menu.tsx'
import { saveTextFile } from '../../ui/save-file.ts'
import { toast } from '../../ui/toast.tsx'

const formatNames = { gpx: 'GPX', kml: 'KML', geojson: 'GeoJSON', csv: 'CSV' } as const
const formatHints = {
  gpx: m.tracking_file_gpx,
  kml: m.tracking_file_kml,
  geojson: m.tracking_file_geojson,
  csv: m.tracking_file_csv,
} as const

interface TrackFileMenuProps {
  label: string
  staffId: readonly string[]
  vehicleId: readonly string[]
  from: string
  /** Until now without it. */
  to: string | null
}

/** Where people and vehicles were in some time, as a file. Taking it away is recorded by the server. */
export function TrackFileMenu({ label, staffId, vehicleId, from, to }: TrackFileMenuProps) {
  const take = useCall(exportTracks, {
    onSuccess: ({ fileName, mediaType, content, points }) => {
      if (points === 0) return toast(m.tracking_file_empty())
      saveTextFile(fileName, content, mediaType)
      toast(m.tracking_file_saved({ file: fileName }))
    },
    onError: (error) => toast(m.lists_export_failed({ reason: refusalText(error) })),
  })
  return (
    <Menu
      label={label}
      icon={Download}
      look={{ variant: 'ghost' }}
      align="end"
      disabled={take.isPending}
      items={trackFormats.map((format) => ({
        key: format,
        label: formatNames[format],
        hint: formatHints[format](),
        onSelect: () =>
          take.mutate({
            staffId: [...staffId],
            vehicleId: [...vehicleId],
            from,
            to: to ?? new Date().toISOString(),
            format,
          }),
      }))}
    />
  )
}
