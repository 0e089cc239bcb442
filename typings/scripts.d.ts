// Types for the scripts in static/js: what those of the browser leave open, and what the scripts share.

// --- The browser. A script knows from its selector what it finds, so an element has what any of ours may have.
interface Found extends HTMLElement {
  action: string;
  checked: boolean;
  content: any;
  dateTime: string;
  defaultChecked: boolean;
  defaultValue?: string;
  disabled: boolean;
  elements: any;
  form: Found;
  href: string;
  labels: NodeListOf<HTMLLabelElement>;
  max: string;
  maxLength: number;
  min: string;
  name: string;
  open: boolean;
  options: any;
  placeholder: string;
  readOnly: boolean;
  required: boolean;
  selectedIndex: number;
  /** What js/piles.js has read from aria-label. */
  spoken?: string;
  src: string;
  get textContent(): string;
  set textContent(text: string | number | null);
  type: string;
  get value(): string;
  set value(value: string | number);
  close(): void;
  requestSubmit(submitter?: Element): void;
  reset(): void;
  select(): void;
  showModal(): void;
  submit(): void;
}
// An event of the page: its target is an element of ours, its detail is htmx's or our own.
interface PageEvent extends Omit<SubmitEvent & KeyboardEvent & PointerEvent & PageTransitionEvent, "target" | "relatedTarget" | "submitter" | "detail"> {
  readonly target: Found;
  readonly relatedTarget: Found;
  readonly submitter: Found;
  readonly detail: any;
}
type Listener = (event: PageEvent) => unknown;
type Listening = boolean | AddEventListenerOptions;
interface Document {
  addEventListener(type: string, listener: Listener, options?: Listening): void;
  getElementById(id: string): Found | null;
  readonly wasDiscarded?: boolean;
}
interface HTMLElement {
  addEventListener(type: string, listener: Listener, options?: Listening): void;
  cloneNode(deep?: boolean): Found;
}
interface ParentNode {
  querySelector(selectors: string): Found | null;
  querySelectorAll(selectors: string): NodeListOf<Found>;
}
interface Element {
  hidden?: boolean | string;
  inert?: boolean;
  closest(selectors: string): Found | null;
  setAttribute(name: string, value: string | number | boolean): void;
}
interface Node {
  appendChild(node: Node): Found;
}
interface FormData {
  get(name: string): string | null;
}
interface HTMLFormControlsCollection {
  [Symbol.iterator](): ArrayIterator<Found>;
}
interface SVGScriptElement {
  readonly src: string;
}
interface Performance {
  getEntriesByType(type: "navigation"): PerformanceNavigationTiming[];
}
// What the language writes as text by itself.
interface String {
  replace(searched: string | RegExp, by: string | number | ((found: string, ...groups: string[]) => string | number)): string;
}
interface ErrorConstructor {
  new (message?: string | number): Error;
}

declare const htmx: {
  ajax(verb: string, path: string, context: object): Promise<void>;
  defineExtension(name: string, extension: { handleSwap(style: string, target: Found, fragment: DocumentFragment): Element[] | false }): void;
  process(element: Element): void;
  swap(target: Element, content: string, how: object, options?: object): void;
  trigger(element: Element, name: string, detail?: object): void;
};

// --- What scripts tell each other of. A request of htmx, while it writes an entry, has it as `written`.
interface XMLHttpRequest {
  written?: Entry;
}
interface HtmxDetail {
  xhr: XMLHttpRequest;
  requestConfig: { verb: string; path: string; formData: FormData; triggeringEvent?: SubmitEvent };
}
type Fields = Record<string, string[]>;
interface Place {
  /** The key of the link. */
  table: string;
  match: number;
  deal: number;
  page?: string;
  undone?: string;
}
interface Entry extends Omit<Place, "page" | "undone"> {
  id: string;
  table_id?: string;
  kind: string;
  fields: Fields;
  /** The version of the match that its form was drawn from. */
  drawn_from?: number | null;
  at: string;
  /** Its number in the database of the phone. */
  n?: number;
  /** Its place in the order, from the tap on. */
  turn?: number;
  /** What it is called in the list. */
  what?: string;
  /** The player who held the phone. */
  by?: number | null;
  counted?: string[];
  settles?: string[];
  instead_of?: string[];
  gives?: Given;
  /** Why it was refused. */
  words?: string[];
  dead?: boolean;
  takenAt?: number;
}
/** A tap that js/early.js has stored. */
interface Tap {
  id?: string;
  action: string;
  fields: [string, string][];
  what: string;
  at: string;
  tap: number;
}
/** An entry as a board names it: by the beginning of its id. */
type Noted = Pick<Entry, "id" | "kind" | "fields"> & { seq: number };
type Points = Record<string, number>;
/** The points of each side by item, and what is open. */
interface Given {
  items: Record<string, Points>;
  open: string[];
}
interface Stand {
  match: number;
  deal: number;
  seq: number;
  totals: Points;
  gained: Points;
  noted: [string, number, string, any][];
  holds: string[];
  isOver: boolean;
  by?: string;
  html?: string;
  path?: string;
}
interface DealAhead {
  number: number;
  seat: number;
  title: string;
  closing: string;
  about: string;
  round?: string;
  lifted?: string;
  trump?: string;
  trumps?: string;
  suit?: string;
}
/** What the phone keeps for the deals to come: deals_ahead() in scorekeeper/web/match/ahead.py. */
interface RowAhead { field: string; points: number; unless: string[]; rare: boolean; folded: boolean; name: string }
interface Ahead {
  key: string;
  match: number;
  sides: string[];
  names: Record<string, string>;
  seats: { player: number; side: string; deals: string; voids: string[]; cuts?: string; cutter?: string; cut?: string }[];
  deals: DealAhead[];
  ends: { target: number | null; rounds: number | null; lowest: boolean; shared: boolean; by_wins: boolean };
  by_itself: {
    rows: Record<string, RowAhead>;
    own: { rows: Record<string, RowAhead>; counted: Points };
    sweep: number;
    openings: Points;
    declared: Points;
    numbers: Points;
    once: Points;
    ranks: Points;
    most: number;
  };
  redeals: { at_least: number; cards: string[] | null; who: string }[];
  keep: string[];
  words: Record<string, string>;
  isKept?: boolean;
}
/** What the server makes of an entry that was pushed. */
interface Answer {
  id?: string;
  status: string;
  kind?: string;
  words?: string[];
  dead?: boolean;
}
interface Draft {
  values: Fields;
  toldAt?: number;
  seq?: number | string;
  heading?: string;
  counted?: string;
  seen?: string[];
  noted?: string[];
  added?: [string, string, TickWords?][];
  open?: (string | boolean)[];
  isStale?: boolean;
  at?: number;
  search?: string;
}
interface TickWords {
  text: string;
  points?: string;
  spoken?: string | null;
}

// --- What each file shares, under its own name (static/js/page/namespace.js).
interface Shared {
  answers: {
    isOurs(answer: { headers?: Headers; getResponseHeader?(name: string): string | null }): boolean;
    warn(text: string): HTMLElement;
  };
  board: {
    drawnHtml(): string;
  };
  at_once: {
    countTotals(page?: ParentNode): void;
  };
  counted: {
    countTaps(page?: ParentNode, isCounted?: boolean): void;
  };
  dated: {
    SILENCE: number;
    askedAt(): number;
    drawAsHeard(moment: number | null): string;
  };
  drafts: {
    saveDraft(address: string, draft: Draft): boolean;
  };
  entries: {
    uuid(): string;
    placeOf(address: string): Place | null;
    countedIn(form: Found): string[];
    entryOf(address: string, data: FormData): Entry | null;
    dataOf(form: any, button?: Found): FormData;
    entryOfStored(stored: any): Entry | null;
    nameOf(entry: Entry, form: Found, button?: Found): string;
  };
  fields: {
    isTick(field: Found): boolean;
    stateOf(field: Found): string | boolean;
    isChanged(field: Found): boolean;
  };
  gives: {
    gives(fields: Fields, ahead: Ahead, dealer: string, noted: Points | null): Given;
    sumOf(sides: string[], ...all: Given[]): Points;
    isKnown(given: Given): boolean;
  };
  gone: {
    /** With `stays` the page is not loaded anew: something is still to be done on it. */
    letGo(answer: { headers?: Headers; getResponseHeader?(name: string): string | null }, stays?: boolean): Promise<void>;
  };
  keys: {
    readKeys(): void;
    tableOf(key: string): string;
    noteDead(key: string): void;
    withNewestKey<E extends Partial<Entry>>(entry: E): E;
  };
  list: {
    isBusy(): boolean;
  };
  local: {
    read(name: string): any;
    write(name: string, value: unknown): boolean;
    remove(name: string): void;
    names(): string[];
  };
  notes: {
    of(form: Found): { entry: Entry | Noted; isDropped: boolean }[] | null;
    boardNotes(stand: Stand): Noted[];
  };
  queue: {
    /** The id of this phone's last act. */
    last?: string;
    posts: Set<XMLHttpRequest>;
    firstRead: Promise<void>;
    all(): Entry[];
    isWaiting(entry: Entry): boolean;
    hasWaiting(): boolean;
    isHeld(entry: Entry): boolean;
    isClosing(entry: Entry): boolean;
    done(): Entry[];
    keepDone(all: Entry[]): boolean;
    read(): Promise<Entry[]>;
    refresh(): Promise<void>;
    changed(): Promise<void>;
    nextTurn(): number;
    mustWait(): boolean;
    waitingIn(key: string, match: number, deal: number): Entry[];
    isDrawn(entry: Pick<Entry, "id">): boolean;
    take(...entries: Entry[]): void;
    forgetTaken(before: number): void;
    tappedIn(key: string, match: number, deal: number): Entry[];
    add(entry: Entry): Promise<boolean>;
    settle(...closings: Entry[]): Promise<void>;
    renumber(closing: Entry): Promise<void>;
  };
  room: {
    store(address: string, draft: Draft): boolean;
    stored(address: string): Draft | null;
    drop(address: string): void;
  };
  send: {
    send(): Promise<void>;
    sendNow(): void;
    retry(entry: Entry): Promise<void>;
  };
  trumps: { press(): void };
  since: {
    heard(isBehind: boolean): void;
    /** With `busy` the server has answered, and cannot serve just now. */
    lost(busy?: boolean): void;
    cameAt(moment: number): void;
    trueAt(): number;
  };
  spoken: {
    listen(live: Found): () => void;
    say(text: string): void;
  };
  around: {
    CONTROLS: string;
    STYLE: string;
    meaning(control: Found): string;
    prepare(live: Found): void;
  };
  stand: {
    readBoard(board: Found): Stand;
    standOf(key: string, match?: number): Stand | null;
    keepStand(key: string, stand: Stand): boolean;
    aheadOf(key: string, match: number): Ahead | null;
    keepAhead(key: string, ahead: Ahead): boolean;
    entriesOf(key: string, match: number): Entry[];
    redealOf(entry: Pick<Entry, "kind" | "fields">, ahead: Ahead | null): string | null;
    closingsOf(key: string, stand: Stand): Entry[];
    playedDeal(key: string, stand: Stand, ahead: Ahead): (DealAhead & { again?: number }) | null;
    dealAt(key: string, stand: Pick<Stand, "match" | "deal">, ahead: Ahead | null, number: number): (DealAhead & { again?: number }) | null;
  };
  store: {
    putLocal(entry: Entry): boolean;
    removeLocal(id: string): void;
    allLocal(): (Tap & Entry)[];
    put(entry: Entry): Promise<boolean>;
    update(entry: Entry): Promise<void>;
    remove(...entries: Pick<Entry, "id">[]): Promise<void>;
    deleteAnswered(): Promise<void>;
    storeAgain(): Promise<boolean>;
    load(): Promise<void>;
    all(): Entry[];
    forgetAnswer(id: string): boolean;
    isUnstored(entry: Pick<Entry, "id">): boolean;
  };
  submit: {
    queueForm(form: Found, button?: Found): Promise<void>;
    writes(detail: HtmxDetail): Entry | null;
    isAnswered(xhr: XMLHttpRequest): boolean;
  };
  ticks: {
    NAMES: string[];
    meaning(value: string): string;
    ticksOf(form: Found, name: string): Found[];
    tickOf(form: Found, name: string, value: string): Found | undefined;
    wordsOf(box: Found): TickWords;
    hasPlace(form: Found, name: string): boolean;
    addTick(form: Found, name: string, value: string, words?: TickWords): void;
  };
}
declare const scorekeeper: Shared;
interface Window {
  scorekeeper: object;
  htmx?: typeof htmx;
  tapsAreHeld: boolean;
}
