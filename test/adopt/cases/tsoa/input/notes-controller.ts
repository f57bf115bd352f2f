import { Body, Controller, Delete, Get, Path, Post, Query, Route, Security, SuccessResponse, Tags } from "tsoa";
import { NotesService } from "./notes-service.js";

interface Note {
  id: string;
  /**
   * Its text
   * @minLength 1 a note needs a text
   */
  text: string;
}

@Route("notes")
@Tags("Notes")
export class NotesController extends Controller {
  private readonly notes = new NotesService();

  /**
   * Finds the notes that contain a text.
   * @param text Text that they contain
   * @param limit Greatest number of notes
   * @isInt limit
   * @minimum limit 1 at least one
   * @maximum limit 100
   */
  @Get()
  public async findNotes(@Query() text: string, @Query() limit = 20): Promise<Note[]> {
    const notes = this.notes.find(text, limit);
    return notes;
  }

  /** Reads a note. */
  @Get("{id}")
  public async readNote(@Path() id: string): Promise<Note> {
    return await this.notes.read(id);
  }

  /** Writes a note. */
  @Post()
  @Security("jwt", ["notes:write"])
  @SuccessResponse(201, "Created")
  public async writeNote(@Body() note: Note): Promise<Note> {
    this.setStatus(201);
    return await this.notes.write(note);
  }

  /** Deletes a note. */
  @Delete("{id}")
  @Security("jwt", ["notes:write", "notes:delete"])
  public async deleteNote(@Path() id: string): Promise<void> {
    await this.notes.remove(id);
  }
}
