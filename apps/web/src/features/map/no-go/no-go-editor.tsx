import { leastAreaPoints } from '@tour-ops/contract/map/areas'
import { createNoGoArea, maxAreaName, type NoGoArea, updateNoGoArea } from '@tour-ops/contract/map/no-go-areas'
import { outlineProblem } from '@tour-ops/contract/map/outline'
import { type RefObject, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useCall } from '../../../backend/queries.ts'
import type { Town } from '../../../backend/gazetteer.ts'
import { entryProblem, refusalText } from '../../../errors/refusal-text.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { Field, TextInput } from '../../../ui/field.tsx'
import { fieldIssueText } from '../../../ui/form/field-errors.ts'
import { formatNumber } from '../../../ui/format.ts'
import { TownField } from '../../places/index.ts'
import type { AreaDraft } from '../area/area-draft.ts'
import { AreaFields, type PlacePress } from '../area/area-fields.tsx'
import { useAreaDraft } from '../area/use-area-draft.ts'
import type { MapAddition } from '../basemap/layered-map.ts'
import type { MapTarget } from '../map-canvas.tsx'
import { PanelHead } from '../panel-head.tsx'
import { useEscape } from '../use-escape.ts'

interface NoGoEditorProps {
  /** What is changed; undefined for a new one. */
  before: NoGoArea | undefined
  onDraw: (addition: MapAddition | undefined) => void
  onTarget: (target: MapTarget) => void
  onPress: RefObject<PlacePress | null>
  /** It was saved or given up. */
  onDone: () => void
}

/** Draws and names a no-go area. */
export function NoGoEditor({ before: given, onDraw, onTarget, onPress, onDone }: NoGoEditorProps) {
  // What somebody else saves meanwhile is refused by its version, and what was drawn here stays.
  const [before] = useState(given)
  const [name, setName] = useState(before?.name ?? '')
  const [draft, setDraft, area] = useAreaDraft(() => before?.area, { onDraw, onTarget })
  const [first] = useState(draft)
  const [town, setTown] = useState<Town | null>(null)
  const [isTried, setTried] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const create = useCall(createNoGoArea, { onSuccess: onDone })
  const update = useCall(updateNoGoArea, { onSuccess: onDone })
  const { error, isPending } = before ? update : create
  const nameField = useRef<HTMLInputElement>(null)
  useEffect(() => nameField.current?.focus({ preventScroll: true }), [])
  const isChanged = name !== (before?.name ?? '') || draft !== first
  const leave = () => (isChanged ? setAsked(true) : onDone())
  useEscape(leave)
  const missing =
    isTried || draft.points.length >= leastAreaPoints ? problemOf(draft, area !== undefined, isTried) : undefined
  const isNameless = isTried && name.trim() === ''
  const nameProblem = isNameless ? fieldIssueText({ code: 'required' }) : entryProblem(error, 'name')
  const areaProblem = missing ?? entryProblem(error, 'area.points')
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (isPending) return
    if (name.trim() === '') return nameField.current?.focus()
    if (!area || problemOf(draft, true, true) !== undefined) return
    const values = { name, area }
    if (before) update.mutate({ id: before.id, version: before.version, ...values })
    else create.mutate(values)
  }
  const goTo = (found: Town | null) => {
    setTown(found)
    if (!found) return
    if (draft.kind === 'circle') setDraft({ ...draft, lat: found.lat.toFixed(5), lng: found.lng.toFixed(5) })
    else onTarget({ kind: 'place', position: [found.lng, found.lat] })
  }
  return (
    <form className="flex min-h-0 flex-1 flex-col" onSubmit={send} noValidate>
      <PanelHead
        className="shrink-0 border-b border-line px-2 pb-2 lg:pt-2"
        backLabel={m.map_no_go_back()}
        onBack={leave}
        title={before ? m.map_no_go_change() : m.map_no_go_new()}
      />
      <div className="grid min-h-0 flex-1 content-start gap-3 overflow-y-auto px-4 py-3">
        {error && !nameProblem && !areaProblem && (
          <p role="alert" className="font-medium text-bad">
            {refusalText(error)}
          </p>
        )}
        <Field label={m.map_no_go_name()} hint={m.map_no_go_name_hint()} error={nameProblem} required>
          <TextInput
            ref={nameField}
            value={name}
            maxLength={maxAreaName}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <div>
          <AreaFields draft={draft} onDraft={setDraft} onPress={onPress} />
          {areaProblem !== undefined && (
            <p role="alert" className="mt-1 text-xs font-medium text-bad">
              {areaProblem}
            </p>
          )}
        </div>
        <TownField label={m.map_no_go_town()} chosen={town} onChoose={goTo} />
      </div>
      <div className="flex shrink-0 justify-end gap-2 border-t border-line p-3">
        <Button onClick={leave}>{m.ui_cancel()}</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          {m.ui_form_save()}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={onDone}
        title={m.map_no_go_discard()}
        confirmLabel={m.map_no_go_discard_yes()}
        cancelLabel={m.map_no_go_discard_no()}
        danger
      >
        {m.map_no_go_discard_text()}
      </ConfirmDialog>
    </form>
  )
}

/** What is missing of the area, or wrong with it. @param isTried Whether somebody wanted to save it. */
function problemOf({ kind, points }: AreaDraft, isWhole: boolean, isTried: boolean): string | undefined {
  if (kind === 'circle') return isTried && !isWhole ? m.map_no_go_circle_missing() : undefined
  if (points.length < leastAreaPoints) {
    return isTried ? m.map_area_outline_hint({ least: formatNumber(leastAreaPoints) }) : undefined
  }
  const problem = outlineProblem(points)
  return problem === null ? undefined : fieldIssueText({ code: problem })
}
