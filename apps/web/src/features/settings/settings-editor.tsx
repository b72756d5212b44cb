import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useUnsavedChanges } from '../../app/unsaved-changes.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { LeaveDialog } from '../../ui/form/form.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { Page } from '../../ui/page.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { idOf, SettingControl } from './setting-control.tsx'
import { SettingsConflict } from './settings-conflict.tsx'
import { type SettingSection, type SettingsObject, valueAt } from './settings-model.ts'
import { ChangeList, SettingsHistory } from './settings-rail.tsx'
import { type SettingsCallables, type SettingsWork, useSettings } from './use-settings.ts'

export interface SettingsEditorProps {
  title: string
  callables: SettingsCallables
  sections: readonly SettingSection[]
  /** What held before anything was saved, and what "back to defaults" puts into the fields; without it there is no such button. */
  defaults?: SettingsObject | undefined
  /** After the fields of a section. */
  extras?: Readonly<Record<string, (work: SettingsWork) => ReactNode>> | undefined
  /** Above the sections. */
  children?: ReactNode
  /** Below them: a section that is saved by itself, and says whether it holds entries that are not saved. */
  after?: OwnSection | undefined
}

export interface OwnSection {
  readonly key: string
  readonly title: string
  /** What the history of the page shows of it. */
  readonly fields: SettingSection
  readonly render: (onUnsaved: (isUnsaved: boolean) => void) => ReactNode
}

/** A page of settings: sections, marks on what was changed, save bar, conflict, history. See docs/screens.md, "Settings". */
export function SettingsEditor({ title, callables, sections, defaults, extras, children, after }: SettingsEditorProps) {
  const work = useSettings(callables)
  const mayChange = useAccess().can('settings:manage')
  const count = Object.keys(work.changes).length
  const [isAfterUnsaved, setAfterUnsaved] = useState(false)
  const leaving = useUnsavedChanges(count > 0 || isAfterUnsaved)
  useSaveKey(() => void work.save())
  useHashTarget(work.stored !== undefined)
  return (
    <Page
      title={<SettingsTitle title={title} />}
      footer={
        mayChange &&
        work.stored && <SaveBar {...{ work, count, sections, defaults }} isAllSaved={count === 0 && !isAfterUnsaved} />
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[168px_minmax(0,640px)_264px] lg:gap-6">
        <SectionLinks sections={sections} work={work} after={after} />
        <div className="flex min-w-0 flex-col gap-4">
          {!mayChange && <Banner role="status">{m.settings_read_only()}</Banner>}
          <Problem work={work} sections={sections} />
          {children}
          {work.stored ? (
            sections.map((section) => (
              <SectionCard key={section.key} {...{ section, work, mayChange }} extra={extras?.[section.key]?.(work)} />
            ))
          ) : (
            <div className="card">
              <SkeletonRows rows={8} />
            </div>
          )}
          {after?.render(setAfterUnsaved)}
        </div>
        <aside className="flex flex-col gap-5 lg:sticky lg:top-20" aria-label={m.settings_rail()}>
          {mayChange && <ChangeList work={work} sections={sections} />}
          <SettingsHistory sections={after ? [...sections, after.fields] : sections} defaults={defaults} />
        </aside>
      </div>
      <SettingsConflict work={work} sections={sections} />
      <LeaveDialog open={leaving.isAsking} onStay={leaving.stay} onLeave={leaving.leave} />
    </Page>
  )
}

/** "Settings / Tour rules", the first part leads back. */
function SettingsTitle({ title }: { title: string }) {
  return (
    <>
      <Link to="/settings" className="font-normal text-ink-2 hover:underline">
        {m.app_title_settings()}
      </Link>
      <span className="font-normal text-ink-2"> / </span>
      {title}
    </>
  )
}

interface SectionLinksProps {
  sections: readonly SettingSection[]
  work: SettingsWork
  after: OwnSection | undefined
}

const sectionLink = 'flex h-9 items-center rounded-lg px-3 font-medium hover:bg-surface-2'

function SectionLinks({ sections, work, after }: SectionLinksProps) {
  if (sections.length < 2) return <div className="max-lg:hidden" />
  return (
    <nav aria-label={m.settings_sections()} className="sticky top-20 max-lg:hidden">
      <ul>
        {sections.map(({ key, title, fields }) => {
          const changed = fields.filter(({ path }) => path in work.changes).length
          return (
            <li key={key}>
              <a className={sectionLink} href={`#${key}`}>
                <span className="flex-1">{title()}</span>
                {changed > 0 && (
                  <span className="num flex items-center gap-1.5 text-brand-strong">
                    <span className="dot bg-brand" aria-hidden /> {changed}
                  </span>
                )}
              </a>
            </li>
          )
        })}
        {after && (
          <li>
            <a className={sectionLink} href={`#${after.key}`}>
              {after.title}
            </a>
          </li>
        )}
      </ul>
    </nav>
  )
}

interface SectionCardProps {
  section: SettingSection
  work: SettingsWork
  mayChange: boolean
  extra: ReactNode
}

function SectionCard({ section, work, mayChange, extra }: SectionCardProps) {
  const { stored, changes, error } = work
  const settings = stored?.settings ?? {}
  return (
    <section id={section.key} className="card scroll-mt-20" aria-labelledby={`${section.key}-title`}>
      <div className="px-4 py-3 lg:px-5">
        <h2 id={`${section.key}-title`} className="text-base font-semibold">
          {section.title()}
        </h2>
        {section.text && <p className="text-ink-2">{section.text()}</p>}
      </div>
      {section.fields.map((field) => {
        const { path } = field
        const isChanged = path in changes
        const saved = valueAt(settings, path)
        return (
          <SettingControl
            key={path}
            field={field}
            value={isChanged ? (changes[path] ?? null) : saved}
            saved={saved}
            isChanged={isChanged}
            disabled={!mayChange}
            error={entryProblem(error, `settings.${path}`)}
            onChange={(value) => work.change(path, value)}
            onUndo={() => work.undo(path)}
          />
        )
      })}
      {extra}
    </section>
  )
}

/** Why saving failed; fields that are to blame say so themselves and are named here. */
function Problem({ work, sections }: { work: SettingsWork; sections: readonly SettingSection[] }) {
  const { error } = work
  if (!error) return null
  const paths = Object.keys(error.details.fieldIssues ?? {})
  const blamed = sections.flatMap((section) => section.fields).filter(({ path }) => paths.includes(`settings.${path}`))
  return (
    <Banner tone="bad" role="alert" framed title={refusalText(error, true)}>
      {blamed.length > 0 && (
        <ul>
          {blamed.map((field) => (
            <li key={field.path}>
              <a className="link" href={`#${idOf(field)}`}>
                {field.label()}
              </a>
            </li>
          ))}
        </ul>
      )}
      {error.details.requestId && (
        <p className="text-xs">
          {m.ui_request_id()} <Ltr>{error.details.requestId}</Ltr>
        </p>
      )}
    </Banner>
  )
}

interface SaveBarProps {
  isAllSaved: boolean
  work: SettingsWork
  count: number
  sections: readonly SettingSection[]
  defaults: SettingsObject | undefined
}

function SaveBar({ work, count, sections, defaults, isAllSaved }: SaveBarProps) {
  const [isAsking, setAsking] = useState(false)
  const reset = () => {
    setAsking(false)
    work.changeAll(
      Object.fromEntries(
        sections.flatMap(({ fields }) => fields.map(({ path }) => [path, valueAt(defaults ?? {}, path)] as const)),
      ),
    )
  }
  return (
    <footer className="form-footer">
      {count > 0 ? (
        <span className="flex items-center gap-2" role="status">
          <span className="dot bg-brand" aria-hidden />
          <b className="text-ink-strong">{m.settings_changes({ count })}</b>
          <span className="text-ink-2 max-sm:hidden">{m.settings_count_from_now()}</span>
        </span>
      ) : (
        isAllSaved && <span className="text-ink-2">{m.settings_all_saved()}</span>
      )}
      <span className="flex-1" />
      {count > 0 && (
        <Button variant="ghost" onClick={work.discard}>
          {m.settings_discard()}
        </Button>
      )}
      {defaults && (
        <Button className="max-sm:hidden" onClick={() => setAsking(true)}>
          {m.settings_defaults()}
        </Button>
      )}
      <Button
        variant="primary"
        pending={work.isSaving}
        disabled={count === 0}
        aria-keyshortcuts="Control+S"
        onClick={() => void work.save()}
      >
        {count === 0 ? m.ui_form_save() : m.settings_save({ count })}
        <span className="max-lg:hidden coarse:hidden" aria-hidden>
          <Kbd keys={['Ctrl S']} />
        </span>
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={reset}
        title={m.settings_defaults_title()}
        confirmLabel={m.settings_defaults_confirm()}
      >
        {m.settings_defaults_text()}
      </ConfirmDialog>
    </footer>
  )
}

/** Ctrl+S (⌘S) saves instead of saving the page. */
function useSaveKey(onSave: () => void): void {
  const save = useEffectEvent(onSave)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      save()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** A link to one field (`#setting-atRiskMin`) arrives before the fields are there. */
function useHashTarget(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || location.hash === '') return
    const target = document.getElementById(location.hash.slice(1))
    target?.scrollIntoView({ block: 'center' })
    target?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true })
  }, [isThere])
}
