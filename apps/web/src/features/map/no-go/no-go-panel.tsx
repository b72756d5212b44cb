import { useQuery } from '@tanstack/react-query'
import { type Area, edgeOf } from '@tour-ops/contract/map/areas'
import { archiveNoGoArea, listNoGoAreas, type NoGoArea } from '@tour-ops/contract/map/no-go-areas'
import { Archive, ArchiveRestore, Ellipsis, MapPinOff, PencilLine, Plus } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { callQuery, useCall } from '../../../backend/queries.ts'
import { refusalText } from '../../../errors/refusal-text.ts'
import { useAccess } from '../../../identity/access.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { formatHeight, formatNumber } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useRemovedFocus } from '../../../ui/use-removed-focus.ts'
import type { PlacePress } from '../area/area-fields.tsx'
import { boundsOf } from '../basemap/geometry.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import type { MapTarget } from '../map-canvas.tsx'
import { PanelHead } from '../panel-head.tsx'
import { useEscape } from '../use-escape.ts'
import { NoGoEditor } from './no-go-editor.tsx'

export interface NoGoPanelProps {
  /** What the address has: `new`, the id of the one that is changed, or anything else for the list. */
  shown: string
  /** Shows another one; without an argument the list. */
  onShow: (shown?: string) => void
  onDraw: (addition: MapAddition | undefined) => void
  onTarget: (target: MapTarget) => void
  onPress: RefObject<PlacePress | null>
  onClose: () => void
}

const newNoGoArea = 'new'

/** Where nobody may go: the list, and one that is drawn. See docs/screens.md, "Live map". */
export function NoGoPanel({ shown, onShow, onDraw, onTarget, onPress, onClose }: NoGoPanelProps) {
  const mayDraw = useAccess().can('departures:dispatch')
  const known = useQuery(callQuery(listNoGoAreas, {}))
  const edited = known.data?.areas.find(({ id }) => id === shown)
  const look = (area: Area) => {
    const bounds = boundsOf(edgeOf(area).map(([lng, lat]) => ({ lng, lat })))
    if (bounds) onTarget({ kind: 'fit', bounds })
  }
  if (mayDraw && (shown === newNoGoArea || edited)) {
    return <NoGoEditor key={shown} before={edited} {...{ onDraw, onTarget, onPress }} onDone={() => onShow()} />
  }
  return (
    <NoGoList
      known={known}
      mayDraw={mayDraw}
      onLook={look}
      onDraw={() => onShow(newNoGoArea)}
      onEdit={({ id }) => onShow(id)}
      onClose={onClose}
    />
  )
}

interface NoGoListProps {
  known: {
    readonly data: { readonly areas: readonly NoGoArea[] } | undefined
    readonly isError: boolean
    readonly refetch: () => unknown
  }
  mayDraw: boolean
  onLook: (area: Area) => void
  onDraw: () => void
  onEdit: (area: NoGoArea) => void
  onClose: () => void
}

function NoGoList({ known, mayDraw, onLook, onDraw, onEdit, onClose }: NoGoListProps) {
  const back = useRef<HTMLButtonElement>(null)
  // The keyboard follows what was pressed beside the map.
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  useEscape(onClose)
  const archive = useArchive()
  const focus = useRemovedFocus(back)
  const areas = known.data?.areas
  const draw = (
    <Button size="sm" icon={Plus} onClick={onDraw}>
      {m.map_no_go_draw()}
    </Button>
  )
  return (
    <>
      <PanelHead
        className="shrink-0 border-b border-line px-2 pb-2 lg:pt-2"
        backLabel={m.map_no_go_close()}
        onBack={onClose}
        backRef={back}
        title={
          <>
            {m.map_no_go()}{' '}
            {areas && areas.length > 0 && (
              <span className="num font-normal text-ink-2">{formatNumber(areas.length)}</span>
            )}
          </>
        }
      >
        {mayDraw && areas && areas.length > 0 && draw}
      </PanelHead>
      <div className="min-h-0 flex-1 overflow-y-auto" {...focus}>
        {areas === undefined && known.isError ? (
          <ErrorPanel message={m.map_no_go_failed()} onRetry={() => void known.refetch()} />
        ) : areas === undefined ? (
          <SkeletonRows rows={4} />
        ) : areas.length === 0 ? (
          <Empty icon={MapPinOff} title={m.map_no_go_empty()} actions={mayDraw && draw}>
            {m.map_no_go_empty_text()}
          </Empty>
        ) : (
          <ul aria-label={m.map_no_go()}>
            {areas.map((area) => (
              <Row key={area.id} area={area} onLook={() => onLook(area.area)}>
                {mayDraw && (
                  <Menu
                    label={m.map_no_go_actions({ name: area.name })}
                    icon={Ellipsis}
                    align="end"
                    items={[
                      { key: 'edit', label: m.map_no_go_edit(), icon: PencilLine, onSelect: () => onEdit(area) },
                      {
                        key: 'archive',
                        label: m.map_no_go_archive(),
                        hint: m.map_no_go_archive_hint(),
                        icon: Archive,
                        separated: true,
                        onSelect: () => archive(area, true),
                      },
                    ]}
                  />
                )}
              </Row>
            ))}
          </ul>
        )}
        {mayDraw && areas && <Archived onLook={onLook} onRestore={(area) => archive(area, false)} />}
      </div>
    </>
  )
}

interface RowProps {
  area: NoGoArea
  onLook: () => void
  children: React.ReactNode
}

const Row = ({ area: { name, area }, onLook, children }: RowProps) => (
  <li className="flex items-center gap-1 border-b border-line pe-2">
    <button type="button" className="min-w-0 flex-1 px-4 py-2 text-start hover:bg-surface-2" onClick={onLook}>
      <bdi className="block font-medium break-words text-ink-strong">{name}</bdi>
      <span className="num block text-xs text-ink-2">
        {area.kind === 'circle'
          ? m.map_no_go_circle({ radius: formatHeight(area.radiusM) })
          : m.map_no_go_outline({ count: area.points.length })}
      </span>
    </button>
    {children}
  </li>
)

/** What was archived, read when somebody asks for it. */
function Archived({ onLook, onRestore }: { onLook: (area: Area) => void; onRestore: (area: NoGoArea) => void }) {
  const [isOpen, setOpen] = useState(false)
  const { data, isError, refetch } = useQuery({ ...callQuery(listNoGoAreas, { archived: true }), enabled: isOpen })
  return (
    <section className="p-2" aria-label={m.map_no_go_archived()}>
      <Button size="sm" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {m.map_no_go_archived()}
      </Button>
      {!isOpen ? null : isError ? (
        <ErrorPanel message={m.map_no_go_failed()} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={2} />
      ) : data.areas.length === 0 ? (
        <p className="px-2 py-1 text-ink-2">{m.map_no_go_none_archived()}</p>
      ) : (
        <ul>
          {data.areas.map((area) => (
            <Row key={area.id} area={area} onLook={() => onLook(area.area)}>
              <IconButton
                label={m.map_no_go_restore({ name: area.name })}
                icon={ArchiveRestore}
                onClick={() => onRestore(area)}
              />
            </Row>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Archives an area, or restores it, and offers to undo that. */
function useArchive(): (area: NoGoArea, archived: boolean) => void {
  const send = useCall(archiveNoGoArea)
  const put = async ({ id, version }: { id: string; version: number }, archived: boolean, name: string) => {
    try {
      const saved = await send.mutateAsync({ id, version, archived })
      const said = archived ? m.map_no_go_is_archived({ name }) : m.map_no_go_is_restored({ name })
      toast(said, { label: m.ui_undo(), onPress: () => void put(saved, !archived, name) })
    } catch (error) {
      toast(refusalText(error))
    }
  }
  return (area, archived) => void put(area, archived, area.name)
}
