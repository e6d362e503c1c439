import { Languages, LogIn, LogOut, Menu as MenuIcon, Moon, Settings2, ShieldCheck, Sun, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { toolCategories } from '../../contracts/tools/tool.ts'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import { chooseLocale, chosenLocale, locales, useLanguage, useText } from '../../kit/ui/language.tsx'
import { chooseTheme, type ThemeChoice, useTheme, useThemeChoice } from '../../kit/ui/theme.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { allows, isAccessible } from '../account/access.ts'
import { loginAddress, useSession } from '../account/session.tsx'
import { messages } from '../messages/shell.ts'
import { listedLocales, portalTitle } from '../portal-settings.ts'
import { listLocaleRecords } from './locale-records.ts'
import { useRouteTitle } from './route-names.ts'
import { findRoute, menuPathOf, menuRoutes, toolsPath } from './route-table.ts'
import { SearchBox } from './search-box.tsx'
import { ToolsPanel } from './tools-panel.tsx'

const Mark = (): ReactNode => (
  <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true" fill="none" strokeLinecap="round">
    <path d="M16 3.5A12.5 12.5 0 0 1 28.5 16M16 28.5A12.5 12.5 0 0 1 3.5 16" stroke="#35c08f" strokeWidth="2.8" />
    <path d="M3.9 12.7a12.5 12.5 0 0 1 8.8-8.8M28.1 19.3a12.5 12.5 0 0 1-8.8 8.8" stroke="#e9ac4c" strokeWidth="2.8" />
    <path d="m11.7 11.2 8.6 9.6m0-9.6-8.6 9.6" stroke="#fff" strokeWidth="2.3" />
  </svg>
)

export const Header = (): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const title = useRouteTitle()
  const theme = useTheme()
  const themeChoice = useThemeChoice()
  const { user, access, signOut } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const entries = menuRoutes.filter((entry) => isAccessible(access, entry))
  const languages = listLocaleRecords(Object.keys(locales), listedLocales())
  const chosen = chosenLocale()
  const signedIn = user !== null && user.access !== 'visitor'
  // The pages that have a search box of their own.
  const searches = location.pathname === '/home' || findRoute(location.pathname)?.path === '/search'
  const tools = useToolList()
  const current = menuPathOf(
    location.pathname,
    tools.map(({ route }) => route),
  )
  const isEntry = (path: string): boolean => entries.some((entry) => entry.path === path)

  return (
    <header className="shell-header">
      <a className="shell-skip" href="#content">
        {t('menu.skip')}
      </a>
      <Link to="/home" className="shell-brand" aria-label={portalTitle()}>
        <Mark />
        <span>{portalTitle()}</span>
      </Link>
      <nav className="shell-nav" aria-label={t('menu.main')}>
        {entries.map((entry) =>
          entry.path === toolsPath ? (
            <ToolsPanel
              key={entry.path}
              to={entry.path}
              title={title(entry.title)}
              isCurrent={current === entry.path}
            />
          ) : (
            <Link key={entry.path} to={entry.path} aria-current={current === entry.path ? 'page' : undefined}>
              {title(entry.title)}
            </Link>
          ),
        )}
      </nav>
      <span className="nv-grow" />
      {searches ? null : <SearchBox className="shell-header-search" />}
      <Link to="/notebook" className="shell-link shell-wide">
        {title('notebook')}
      </Link>
      <Link to="/document" className="shell-link shell-wide">
        {title('document')}
      </Link>
      <Menu
        className="shell-menu"
        look="quiet"
        icon={<Languages size={17} aria-hidden />}
        title={t('menu.language')}
        items={languages.map((one) => ({
          key: one.lang,
          icon: (
            <span aria-hidden className="shell-flag">
              {one.icon}
            </span>
          ),
          label: <span lang={one.lang}>{one.label}</span>,
          hint: one.lang,
          chosen: one.lang === chosen,
          run: () => chooseLocale(one.lang),
        }))}
      />
      <Menu
        className="shell-menu"
        look="quiet"
        icon={theme === 'dark' ? <Moon size={17} aria-hidden /> : <Sun size={17} aria-hidden />}
        title={t('menu.theme')}
        items={(['system', 'light', 'dark'] as ThemeChoice[]).map((one) => ({
          key: one,
          label: t(`theme.${one}`),
          chosen: one === themeChoice,
          run: () => chooseTheme(one),
        }))}
      />
      {signedIn ? (
        <Menu
          className="shell-menu"
          look="quiet"
          icon={<UserRound size={17} aria-hidden />}
          label={<span className="shell-wide">{user.username}</span>}
          title={user.username}
          items={[
            {
              key: 'center',
              icon: <UserRound size={15} aria-hidden />,
              label: title('accountCenter'),
              run: () => void navigate('/account/center'),
            },
            {
              key: 'settings',
              icon: <Settings2 size={15} aria-hidden />,
              label: title('accountSettings'),
              run: () => void navigate('/account/settings'),
            },
            ...(allows(access, 'canAdmin')
              ? [
                  {
                    key: 'info',
                    icon: <ShieldCheck size={15} aria-hidden />,
                    label: title('info'),
                    run: () => void navigate('/info'),
                  },
                ]
              : []),
            {
              key: 'logout',
              icon: <LogOut size={15} aria-hidden />,
              label: t('menu.logout'),
              run: () => void signOut(),
            },
          ]}
        />
      ) : (
        <Link to={loginAddress(location)} className="shell-link" aria-label={t('menu.signIn')}>
          <LogIn size={17} aria-hidden />
          <span className="shell-wide">{t('menu.signIn')}</span>
        </Link>
      )}
      <Menu
        className="shell-menu shell-narrow"
        look="quiet"
        icon={<MenuIcon size={19} aria-hidden />}
        title={t('menu.open')}
        items={[
          ...[
            ...entries,
            { path: '/notebook', title: 'notebook' } as const,
            { path: '/document', title: 'document' } as const,
          ].map((entry) => ({
            key: entry.path,
            label: title(entry.title),
            chosen: location.pathname === entry.path,
            run: () => void navigate(entry.path),
          })),
          // All in one list: a phone has no room for a list beside a list.
          ...toolCategories.flatMap((category) => {
            const own = tools.filter((tool) => tool.category === category && !isEntry(tool.route))
            return own.length === 0
              ? []
              : [
                  { key: category, label: t(`question.${category}`), heading: true },
                  ...own.map((tool) => ({
                    key: tool.route,
                    icon: <tool.icon size={15} aria-hidden />,
                    label: tool.title[language],
                    chosen: location.pathname === tool.route,
                    run: () => void navigate(tool.route),
                  })),
                ]
          }),
        ]}
      />
    </header>
  )
}
