import { useInfiniteQuery } from '@tanstack/react-query'
import type { ImportBatch } from '@tour-ops/contract/imports/import-batch'
import { listImportCorrections } from '@tour-ops/contract/imports/imports'
import { currentBackend } from '../../backend/port.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatMoment, formatNumber, viewerZone } from '../../ui/format.ts'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { CorrectionsEditor } from './use-corrections.ts'
import { meaningLabel } from './value-labels.ts'

interface Props {
  batch: ImportBatch
  corrections: CorrectionsEditor
  open: boolean
  onClose: () => void
}

/** What was corrected in a file, cell by cell and word by word, each of which can be taken back. */
export function CorrectionsDialog({ batch, corrections, open, onClose }: Props) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissible
      wide
      title={m.imports_corrections_title()}
      description={m.imports_corrections_file()}
    >
      {corrections.error && (
        <p role="alert" className="mb-2 font-medium text-bad">
          {refusalText(corrections.error)}
        </p>
      )}
      <ul className="divide-y divide-line">
        {Object.entries(batch.mapping.words).map(([word, meaning]) => {
          const what = m.imports_corrections_word({ word, meaning: meaningLabel(meaning) })
          return (
            <Item
              key={word}
              title={what}
              name={what}
              isBusy={isBusy(batch, corrections)}
              onTakeBack={() => corrections.takeBack({ forgottenWords: [word] })}
            />
          )
        })}
        {open && batch.corrections > 0 && <Cells batch={batch} corrections={corrections} />}
      </ul>
    </Dialog>
  )
}

const isBusy = (batch: ImportBatch, { isSaving }: CorrectionsEditor): boolean => isSaving || batch.progress !== null

const pageRows = 100

function Cells({ batch, corrections }: Pick<Props, 'batch' | 'corrections'>) {
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: [listImportCorrections.name, batch.id, batch.corrections],
    queryFn: ({ pageParam, signal }) =>
      currentBackend().call(listImportCorrections, { id: batch.id, page: pageParam, size: pageRows }, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * pageRows < last.total ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  if (error) return <li className="py-2 font-medium text-bad">{refusalText(error)}</li>
  if (!data) return <SkeletonRows rows={Math.min(3, batch.corrections)} />
  const rows = data.pages.flatMap((page) => page.rows)
  return (
    <>
      {rows.map(({ line, column, everywhere, was, now, correctedByName, correctedAt }) => {
        const place = everywhere
          ? m.imports_corrections_everywhere({ column })
          : m.imports_correct_label({ column, line: formatNumber(line) })
        const by = { name: correctedByName ?? '–', time: formatMoment(correctedAt, viewerZone()) }
        return (
          <Item
            key={`${line} ${column} ${everywhere}`}
            title={m.imports_corrections_was_now({ was: was || m.imports_empty(), now: now || m.imports_empty() })}
            detail={`${place} · ${m.imports_corrections_by(by)}`}
            name={place}
            isBusy={isBusy(batch, corrections)}
            onTakeBack={() => corrections.takeBack({ takenBack: [{ line, column, everywhere }] })}
          />
        )
      })}
      {hasNextPage && (
        <li className="py-2">
          <button
            type="button"
            className="link min-h-6"
            aria-busy={isFetching || undefined}
            onClick={() => void fetchNextPage()}
          >
            {m.imports_show_more({ count: Math.min(pageRows, batch.corrections - rows.length) })}
          </button>
        </li>
      )}
    </>
  )
}

interface ItemProps {
  title: string
  detail?: string
  /** Of what is taken back. */
  name: string
  isBusy: boolean
  onTakeBack: () => void
}

const Item = ({ title, detail, name, isBusy: busy, onTakeBack }: ItemProps) => (
  <li className="flex items-center gap-3 py-2">
    <span className="min-w-0 flex-1">
      <bdi className="block break-words text-ink-strong">{title}</bdi>
      {detail !== undefined && <bdi className="block break-words text-xs text-ink-2">{detail}</bdi>}
    </span>
    <Button
      size="sm"
      pending={busy}
      aria-label={m.imports_corrections_take_back_one({ what: name })}
      onClick={onTakeBack}
    >
      {m.imports_corrections_take_back()}
    </Button>
  </li>
)
